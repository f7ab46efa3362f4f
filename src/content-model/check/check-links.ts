import { basename, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Nodes } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { findNearest, suggest } from '../nearest.ts';
import { anchors } from '../../config/site.ts';
import { type Collection, collections } from '../collections.ts';
import { facts } from '../facts.ts';
import { checkPicture, decode, listPictures } from './check-pictures.ts';
import type { Entry } from './read-source.ts';

export type Targets = Awaited<ReturnType<typeof listTargets>>;

/** Lists what the links and pictures of a site may lead to: its pages, with the anchors of each, and the files in public/. */
export async function listTargets(root: string, entries: Entry[]) {
  const pages = new Map<string, Set<string>>();
  for (const { page } of Object.values<Collection>(collections)) pages.set(page, new Set(['#top', '#main']));
  for (const anchor of Object.values(anchors)) pages.get('/')?.add(anchor);
  for (const { file, tree, collection } of entries) {
    const page = pages.get(collection.page);
    const slugger = new GithubSlugger();
    if (tree && !collection.text?.isEmail)
      visit(tree, 'heading', (node) => void page?.add(`#${slugger.slug(toString(node))}`));
    if (collection.anchor) page?.add(`#${collection.anchor}-${basename(file, '.mdx')}`);
  }
  return { pages, files: await listPictures(join(root, 'public')) };
}

/** Explains why a link leads nowhere or somewhere unsafe, or why a picture is missing or lacks a description. */
export function checkTarget(node: Nodes, page: string, targets: Targets): string | undefined {
  if (node.type === 'image') return checkPicture(node, targets.files);
  if (node.type !== 'link') return undefined;
  if (/^[A-Z]\w+ ?\/$/.test(node.url) || node.children.some(({ type }) => type === 'mdxJsxTextElement'))
    return 'A link cannot contain a contact. Remove one of the two.';
  if (!toString(node).trim()) return 'A link has no words. Write them between its brackets.';
  return checkLink(node.url, page, targets);
}

/** Explains why an address leads nowhere or somewhere unsafe. */
export function checkLink(url: string, page: string, { pages, files }: Targets): string | undefined {
  // The addresses of the site's own facts are checked where they are defined. A preview (docs/deploy.md) is not the site.
  if (Object.values(facts).includes(url)) return;
  if (/^mailto:[^@\s]+@[^@\s]+$|^tel:.*\d|^https:\/\/(?![^/]*waitlist-preview)[^/?#]+\.[^/?#]/i.test(url))
    return;
  if (!url || url === '#') return 'The link has no address. Write [words](/address).';
  if (/^http:.+\./i.test(url)) return `${url} is not encrypted. Write ${url.replace(/^http/i, 'https')}.`;
  if (/^mailto:/i.test(url)) return `${url} is not an email address, such as mailto:name@example.com.`;
  if (/^["'“”„‘’]/.test(url)) return `Remove the quotes around the address ${url}.`;

  const [, typed = '', anchor] = /^([^?#]*)(?:\?[^#]*)?(#.+)?/.exec(url) ?? [];
  const path = decode(typed).replace(/(.)\/$/, '$1') || page;
  if (files.has(path) || /^\/welcome\/./.test(path)) return;
  const known = pages.get(path);
  if (!known) return `There is no page ${url}. ${suggestAddress(url, path, [...pages])}`;
  // A page with nothing but #top and #main may be one whose file cannot be read.
  if (!anchor || known.has(decode(anchor)) || known.size === 2) return;
  // For a question that was removed, lists the other questions.
  const alike = [...known].filter((one) => one.split('-')[0] === anchor.split('-')[0]);
  const advice = suggest(anchor, alike.length > 0 ? alike : [...known], 'There is');
  return `The page ${path} has no section ${anchor}. ${advice}`;
}

function suggestAddress(url: string, path: string, pages: [path: string, anchors: Set<string>][]): string {
  if (/^(www\.|([\w-]+\.)+[a-z]+\/)/i.test(url)) return `Did you mean https://${url}?`;
  if (/^[^:/@]+@[^/@]+$/.test(url)) return `Did you mean mailto:${url}?`;
  const others = pages.map(([one]) => one).filter((one) => one !== '/');
  const places = pages.flatMap(([one, anchors]) => [...anchors].slice(2).map((anchor) => one + anchor));
  const name = `/${basename(path)}`.replace(/\.\w+$/, '');
  const nearest = findNearest(name, ['{discord}', ...others, ...places]);
  return nearest
    ? `Did you mean ${nearest}?`
    : `An address begins with https://, mailto: or tel:, or is one of /, ${others.join(', ')}. For brackets that are no link, write \\[.`;
}
