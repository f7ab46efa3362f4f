import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Image, Link, Nodes } from 'mdast';
import type { MdxJsxTextElement } from 'mdast-util-mdx';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { wrappingComponent } from '../content-syntax.ts';
import { anchors } from '../site.ts';
import { findNearest, suggest } from '../../ground/nearest.ts';
import type { Entry } from './read-source.ts';

/** What a link or a picture may lead to. */
export interface Targets {
  /** The anchors of each page, by its path. */
  places: Map<string, Set<string>>;
  /** The paths of the files in public/. */
  files: string[];
}

/** Lists what the links and pictures of a site may lead to: its pages, with the anchors of their texts, and its files. */
export function listTargets(root: string, entries: Entry[]): Targets {
  const names = globSync('*.astro', { cwd: join(root, 'src/pages') }).map((file) => basename(file, '.astro'));
  const paths = names.filter((name) => name !== '404').map((name) => (name === 'index' ? '/' : `/${name}`));
  const places = new Map(paths.map((path) => [path, new Set(['top', 'main'])]));
  for (const anchor of Object.values(anchors)) places.get('/')?.add(anchor.slice(1));
  for (const { file, tree, collection } of entries) {
    const page = places.get(collection.page);
    const slugger = new GithubSlugger();
    // An email has no anchors.
    if (tree && !collection.text?.isEmail) {
      visit(tree, 'heading', (node) => void page?.add(slugger.slug(toString(node))));
    }
    if (collection.anchor) page?.add(`${collection.anchor}-${basename(file, '.mdx')}`);
  }
  const files = globSync('**/*.*', { cwd: join(root, 'public') }).map((file) => `/${encodeURI(file)}`);
  return { places, files };
}

/** A link, or words that a component makes a link. */
export type LinkNode = Link | MdxJsxTextElement;

/** Returns whether a node is a link. */
export function isLink(node: Nodes): node is LinkNode {
  return node.type === 'link' || (node.type === 'mdxJsxTextElement' && node.name === wrappingComponent);
}

/** Explains why a link leads nowhere or somewhere unsafe, or why a picture is missing or lacks a description. */
export function checkTarget(node: Nodes, page: string, targets: Targets): string | undefined {
  if (node.type === 'image') return checkPicture(node, targets.files);
  if (!isLink(node)) return;
  if (node.children.some(({ type }) => type === 'link' || type === 'mdxJsxTextElement')) {
    return 'A link cannot contain another link or a contact. Remove one of the two.';
  }
  const typed = toString(node);
  if (!typed.trim()) return 'A link has no words. Write them between its brackets.';
  if (node.type !== 'link') return;
  // Markdown adds http:// to a bare www.example.com.
  return checkLink(node.url === `http://${typed}` ? typed : node.url, page, targets);
}

function checkPicture({ url, alt }: Image, files: string[]): string | undefined {
  if (/^\w{2,}:|^\/\//.test(url)) {
    return 'A picture from another server would tell that server who is reading. Put it into public/.';
  }
  if (!files.includes(url)) {
    const names = files.map((file) => basename(file));
    const meant = files[names.indexOf(findNearest(basename(url), names) ?? '')];
    const advice = meant
      ? `Did you mean ${meant}?`
      : 'Put it into public/, and write its path from there: /file.png.';
    return `${url ? `There is no picture ${url}` : 'The picture has no address'}. ${advice}`;
  }
  if (alt?.trim() && !/\.\w{3,4}$|^(image|img|photo|picture|screenshot)[\s_-]*\d*$/i.test(alt)) return;
  return 'The picture has no description for people who cannot see it: ![what it shows](/file.png).';
}

/** What is missing at the beginning of an address. */
const beginnings = {
  'mailto:': /^[^/#:]+@/,
  'tel:': /^\+?[\d ()-]{5,}$/,
  'https://': /^www\b|^[\w-]+\.(?!mdx?$|html?$)\w/i,
};

function checkLink(url: string, page: string, { places, files }: Targets): string | undefined {
  if (/^mailto:[^@\s]+@[^@\s]+$|^tel:.*\d|^https:\/\/[^/?#]+\.[^/?#]/i.test(url)) return;
  if (!url || url === '#') return 'The link has no address. Write [words](/address).';
  const [local, place = '/'] = /^https?:\/\/(?:localhost|127\.0\.0\.1)[:\d]*(\/.*)?$/.exec(url) ?? [];
  if (local) return `${url} works on your machine only. Write ${place}.`;
  if (/^http:/i.test(url)) return `${url} is not encrypted. Write https:// instead of http://.`;
  const [beginning] = Object.entries(beginnings).find(([, pattern]) => pattern.test(url)) ?? [];
  if (beginning) return `${url} is not a full address. Write ${beginning} in front of it.`;

  const [, typed = '', anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(url) ?? [];
  const path = typed.replace(/(.)\/$/, '$1') || page;
  if (files.includes(path) || /^\/welcome\/./.test(path)) return;
  const known = places.get(path);
  if (known && anchor && !known.has(anchor)) {
    const all = [...known].map((one) => `#${one}`);
    return `The page ${path} has no section #${anchor}. ${suggest(`#${anchor}`, all, 'There is')}`;
  }
  if (known) return;
  const pages = [...places.keys()].filter((page) => page !== '/');
  const anchors = [...places].flatMap(([page, all]) => [...all].map((anchor) => `${page}#${anchor}`));
  const nearest = findNearest(`/${basename(path)}`.replace(/\.\w+$/, ''), [...pages, ...anchors]);
  const problem = path.startsWith('/') ? `There is no page ${path}.` : `${url} is not a full address.`;
  return nearest
    ? `${problem} Did you mean ${nearest}?`
    : `${problem} An address begins with https://, mailto: or tel:, or is one of /, ${pages.join(', ')}.`;
}
