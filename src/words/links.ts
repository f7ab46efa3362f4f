import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Nodes, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { anchors } from '../site.ts';
import { findNearest } from './fields.ts';
import type { TextFault } from './text-rules.ts';

/** What a link may lead to: the places of each page, and the files of public/. */
interface Targets {
  places: Map<string, Set<string>>;
  hasFile(path: string): boolean;
}

/** Lists the pages of a site, each with the places that every page has. Those of its texts are added. */
export function listTargets(root: string): Targets {
  const names = globSync('*.astro', { cwd: join(root, 'src/pages') }).map((file) => basename(file, '.astro'));
  const paths = names.filter((name) => name !== '404').map((name) => (name === 'index' ? '/' : `/${name}`));
  const places = new Map(paths.map((path) => [path, new Set(['top', 'main'])]));
  for (const anchor of Object.values(anchors)) places.get('/')?.add(anchor.slice(1));
  return {
    places,
    hasFile: (path) => !/(^|\/)(_|\.\.)/.test(path) && path !== '/' && existsSync(join(root, 'public', path)),
  };
}

/** Lists the places that the headings of a text make. */
export function listHeadings(tree: Root): string[] {
  const slugger = new GithubSlugger();
  const places: string[] = [];
  visit(tree, 'heading', (node) => void places.push(slugger.slug(toString(node))));
  return places;
}

/** Lists links of a text that lead nowhere or somewhere unsafe, and pictures that are not there or not described. */
export function findLinkFaults(tree: Root, page: string, targets: Targets): TextFault[] {
  const faults: TextFault[] = [];
  const check = (node: Nodes, message: string | undefined) =>
    void (message && faults.push({ node, message }));
  visit(tree, (node) => {
    if (node.type === 'link' || node.type === 'definition') check(node, checkLink(node.url, page, targets));
    if (node.type !== 'image') return;
    check(node, checkPicture(node.url, targets));
    if (!node.alt?.trim()) {
      check(node, 'The picture has no description for those who do not see it: ![what it shows](/file.png).');
    }
  });
  return faults;
}

function checkPicture(url: string, { hasFile }: Targets): string | undefined {
  const isOuter = /^\w+:|^\/\//.test(url);
  if (isOuter || (url.startsWith('/') && hasFile(url))) return undefined;
  return `There is no picture ${url}. Put it into public/ and name it from there: /file.png.`;
}

function checkLink(url: string, page: string, targets: Targets): string | undefined {
  if (/^(mailto|tel):./i.test(url)) return undefined;
  if (/^http:/i.test(url)) return `${url} goes out in the clear. Write https:// instead of http://.`;
  if (/^https:/i.test(url)) return URL.canParse(url) ? undefined : `${url} is no address.`;
  if (/^[\w+.-]+:|^\/\//.test(url))
    return `${url} is a kind of address that has no place here. Use https://.`;
  if (!/^[/#]/.test(url))
    return `"${url}" is no full address. Begin with / for a page of this site, else with https://.`;
  return checkInnerLink(url, page, targets);
}

function checkInnerLink(url: string, page: string, { places, hasFile }: Targets): string | undefined {
  const base = new URL(page, 'https://site.example');
  const target = URL.parse(url, base);
  // A browser takes a backslash for a slash, and what follows two of them for another site.
  if (target?.origin !== base.origin)
    return `${url} leads to another site. Write its full address, with https://.`;
  const [path, place] = [target.pathname.replace(/(.)\/$/, '$1'), target.hash.slice(1)].map(decode);
  if (path === undefined || place === undefined)
    return `${url} holds a % that stands for nothing. Write %25 for the sign.`;
  if (path.startsWith('/welcome/') || hasFile(path)) return undefined;
  const known = places.get(path);
  if (!known) return `There is no page ${path}.${suggest(path, [...places.keys()])}`;
  if (!place || known.has(place)) return undefined;
  return `The page ${path} has no place #${place}.${suggest(place, [...known], '#')}`;
}

/** Decodes a part of an address; `undefined` when it cannot be decoded. */
function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function suggest(name: string, known: string[], sign = ''): string {
  const nearest = findNearest(name, known);
  return nearest
    ? ` Did you mean ${sign}${nearest}?`
    : ` There is: ${known.map((name) => sign + name).join(', ')}.`;
}
