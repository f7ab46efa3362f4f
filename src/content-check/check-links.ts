import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { anchors } from '../site.ts';
import type { Fault } from './fault.ts';
import { findNearest, suggest } from './nearest.ts';

/** The targets that a link may have: the anchors of each page, and the files in public/. */
interface Targets {
  places: Map<string, Set<string>>;
  /** The files in public/, as paths relative to it. */
  files: string[];
  hasFile(path: string): boolean;
}

/** Lists the pages of a site with the anchors that every page has. The caller adds those of the texts. */
export function listTargets(root: string): Targets {
  const names = globSync('*.astro', { cwd: join(root, 'src/pages') }).map((file) => basename(file, '.astro'));
  const paths = names.filter((name) => name !== '404').map((name) => (name === 'index' ? '/' : `/${name}`));
  const places = new Map(paths.map((path) => [path, new Set(['top', 'main'])]));
  for (const anchor of Object.values(anchors)) places.get('/')?.add(anchor.slice(1));
  const files = globSync('**/*.*', { cwd: join(root, 'public') }).filter(
    (file) => !basename(file).startsWith('_'),
  );
  return { places, files, hasFile: (path) => files.includes(path.slice(1)) };
}

/** Lists the anchors of the headings in a text. */
export function listHeadings(tree: Root): string[] {
  const slugger = new GithubSlugger();
  const places: string[] = [];
  visit(tree, 'heading', (node) => void places.push(slugger.slug(toString(node))));
  return places;
}

/** Lists links that lead nowhere or somewhere unsafe, and pictures that are missing or lack a description. */
export function findLinkFaults(tree: Root, page: string, targets: Targets): Fault[] {
  const faults: Fault[] = [];
  const used = new Set<string>();
  visit(tree, ['linkReference', 'imageReference'], (node) => {
    if ('identifier' in node) used.add(node.identifier);
  });
  visit(tree, (node) => {
    const refuse = (message: string | undefined) =>
      void (message && faults.push({ line: node.position?.start.line ?? 1, message }));
    if (node.type === 'definition' && !used.has(node.identifier)) {
      return refuse(`Visitors would not see "[${node.label}]: …". A link is [words](/address).`);
    }
    if (node.type === 'definition') refuse(checkLink(node.url, page, targets));
    if (node.type === 'link') {
      const typed = toString(node);
      refuse(checkLink(node.url === `http://${typed}` ? typed : node.url, page, targets));
      const contact = node.children.find((child) => child.type === 'mdxJsxTextElement');
      if (contact) refuse(`<${contact.name}> is a link already, and a link cannot contain another one.`);
      else if (!typed.trim()) refuse('The link has no words: [words](/address).');
    }
    if (node.type === 'imageReference') {
      refuse('Write the address of a picture beside its words: ![what it shows](/file.png).');
    }
    if (node.type !== 'image') return;
    refuse(checkPicture(node.url, targets));
    if (!node.alt?.trim()) {
      refuse('The picture has no description for people who cannot see it: ![what it shows](/file.png).');
    }
  });
  return faults;
}

function checkPicture(url: string, { hasFile, files }: Targets): string | undefined {
  if (/^\w{2,}:|^\/\//.test(url)) {
    return 'A picture from another server would tell that server who reads this. Put it into public/.';
  }
  if (url.startsWith('/') && hasFile(decode(url) ?? url)) return undefined;
  const nearest = findNearest(
    basename(url),
    files.map((file) => basename(file)),
  );
  const found = files.find((file) => basename(file) === nearest);
  const cure = found ? `Did you mean /${found}?` : 'Put it into public/ and name it from there: /file.png.';
  return `There is no picture ${url || 'without an address'}. ${cure}`;
}

function checkLink(url: string, page: string, targets: Targets): string | undefined {
  if (!url) return 'The link has no address: [words](/address).';
  if (/^mailto:/i.test(url))
    return /^mailto:[^@\s]+@[^@\s]+$/i.test(url) ? undefined : `${url} contains no email address.`;
  if (/^tel:/i.test(url)) return /\d/.test(url) ? undefined : `${url} contains no phone number.`;
  if (/^http:/i.test(url)) return `${url} is not encrypted. Write https:// instead of http://.`;
  if (/^https:/i.test(url)) {
    return /^https:\/\/[^/?#]+\.[^/?#]/i.test(url) && URL.canParse(url)
      ? undefined
      : `${url} is not a full address: https://example.com.`;
  }
  if (/^[\w+.-]+:|^\/\//.test(url))
    return `${url} is not an address that works here. Begin it with https://.`;
  if (/^[^/#]*@/.test(url)) return `${url} is an email address. Write mailto: in front of it.`;
  if (/^\+?[\d ()-]{5,}$/.test(url)) return `${url} is a phone number. Write tel: in front of it.`;
  if (/^www\b|^[\w-]+(\.[\w-]+)*\.(com|net|org|gg|io|tv)(\/|$)/i.test(url))
    return `${url} is not a full address. Write https:// in front of it.`;
  if (!/^[/#]/.test(url)) {
    const nearest = findNearest(`/${basename(url)}`.replace(/\.\w+$/, ''), [...targets.places.keys()]);
    const cure = nearest
      ? `Did you mean ${nearest}?`
      : 'Begin it with / for a page of this site, or with https://.';
    return `"${url}" is not a full address. ${cure}`;
  }
  return checkInnerLink(url, page, targets);
}

function checkInnerLink(url: string, page: string, { places, hasFile }: Targets): string | undefined {
  const base = new URL(page, 'https://site.example');
  const target = URL.parse(url, base);
  // Browsers treat a backslash as a slash, so two of them lead to another site.
  if (target?.origin !== base.origin)
    return `${url} leads to another site. Write its full address, with https://.`;
  const [path, place] = [target.pathname.replace(/(.)\/$/, '$1'), target.hash.slice(1)].map(decode);
  if (path === undefined || place === undefined)
    return `${url} contains a % that is not part of a code. Write %25 for the sign.`;
  if (path.startsWith('/welcome/') || hasFile(path)) return undefined;
  const known = places.get(path);
  if (!known) {
    const all = [...places].flatMap(([page, ids]) => [page, ...[...ids].map((id) => `${page}#${id}`)]);
    const nearest = findNearest(path.replace(/\.\w+$/, ''), [...places.keys()]) ?? findNearest(path, all);
    return `There is no page ${path}. ${nearest ? `Did you mean ${nearest}?` : `There is ${[...places.keys()].join(', ')}.`}`;
  }
  if (!place || known.has(place)) return undefined;
  return `The page ${path} has no place #${place}. ${suggest(
    `#${place}`,
    [...known].map((id) => `#${id}`),
    'There is',
  )}`;
}

/** Decodes a part of a URL; `undefined` when it cannot be decoded. */
function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
