import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Nodes } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { findNearest, suggest } from '../../../shared/nearest.ts';
import { anchors } from '../../config/site.ts';
import { checkPicture, decode, listPictures, type Pictures } from './check-pictures.ts';
import type { Entry } from './read-source.ts';

/** What a link or a picture may lead to. */
export interface Targets {
  /** The anchors of each page, by its path. */
  pages: Map<string, Set<string>>;
  /** The files in public/, by their paths. */
  files: Pictures;
}

/** Lists what the links and pictures of a site may lead to: its pages, with the anchors of their texts, and its files. */
export async function listTargets(root: string, entries: Entry[]): Promise<Targets> {
  const names = globSync('*.astro', { cwd: join(root, 'src/pages') }).map((file) => basename(file, '.astro'));
  const paths = names.filter((name) => name !== '404').map((name) => (name === 'index' ? '/' : `/${name}`));
  const pages = new Map(paths.map((path) => [path, new Set(['top', 'main'])]));
  for (const anchor of Object.values(anchors)) pages.get('/')?.add(anchor.slice(1));
  for (const { file, tree, collection } of entries) {
    const page = pages.get(collection.page);
    const slugger = new GithubSlugger();
    // An email has no anchors.
    if (tree && !collection.text?.isEmail) {
      visit(tree, 'heading', (node) => void page?.add(slugger.slug(toString(node))));
    }
    if (collection.anchor) page?.add(`${collection.anchor}-${basename(file, '.mdx')}`);
  }
  return { pages, files: await listPictures(join(root, 'public')) };
}

/** Explains why a link leads nowhere or somewhere unsafe, or why a picture is missing or lacks a description. */
export function checkTarget(node: Nodes, page: string, targets: Targets): string | undefined {
  if (node.type === 'image') return checkPicture(node, targets.files);
  if (node.type !== 'link') return undefined;
  if (node.children.some(({ type }) => type === 'mdxJsxTextElement'))
    return 'A link cannot contain a contact. Remove one of the two.';
  if (!toString(node).trim()) return 'A link has no words. Write them between its brackets.';
  return checkLink(node.url, page, targets);
}

function checkLink(url: string, page: string, { pages, files }: Targets): string | undefined {
  if (/^mailto:[^@\s]+@[^@\s]+$|^tel:.*\d|^https:\/\/[^/?#]+\.[^/?#]/i.test(url)) return;
  if (!url || url === '#') return 'The link has no address. Write [words](/address).';
  if (/^http:/i.test(url)) return `${url} is not encrypted. Write https:// instead of http://.`;

  const [, typed = '', anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(url) ?? [];
  const path = decode(typed).replace(/(.)\/$/, '$1') || page;
  if (files.has(path) || /^\/welcome\/./.test(path)) return;
  const known = pages.get(path);
  if (known && anchor && !known.has(decode(anchor))) {
    const all = [...known].map((one) => `#${one}`);
    return `The page ${path} has no section #${anchor}. ${suggest(`#${anchor}`, all, 'There is')}`;
  }
  if (known) return;
  const others = [...pages.keys()].filter((one) => one !== '/');
  const all = [...pages].flatMap(([one, its]) => [...its].map((name) => `${one}#${name}`));
  const nearest = findNearest(`/${basename(path)}`.replace(/\.\w+$/, ''), ['{discord}', ...others, ...all]);
  const advice = nearest
    ? `Did you mean ${nearest}?`
    : `An address begins with https://, mailto: or tel:, or is one of /, ${others.join(', ')}.`;
  return `There is no page ${url}. ${advice}`;
}
