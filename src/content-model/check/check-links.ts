import { globSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Image, Nodes } from 'mdast';
import { toString } from 'mdast-util-to-string';
import sharp from 'sharp';
import { visit } from 'unist-util-visit';
import { findNearest, suggest } from '../../../shared/nearest.ts';
import { isLink } from '../syntax.ts';
import { anchors } from '../../config/site.ts';
import type { Entry } from './read-source.ts';

const heaviestPicture = 500; // KB

/** What a link or a picture may lead to. */
export interface Targets {
  /** The anchors of each page, by its path. */
  places: Map<string, Set<string>>;
  /** Why each of the files in public/ is unsuitable as a picture, by its path; `undefined` when it is not. */
  files: Map<string, string | undefined>;
}

/** Lists what the links and pictures of a site may lead to: its pages, with the anchors of their texts, and its files. */
export async function listTargets(root: string, entries: Entry[]): Promise<Targets> {
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
  const files = globSync('**/*.*', { cwd: join(root, 'public') }).map(
    async (file) => [`/${encodeURI(file)}`, await findPictureFault(join(root, 'public', file))] as const,
  );
  return { places, files: new Map(await Promise.all(files)) };
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

function checkPicture({ url, alt }: Image, files: Targets['files']): string | undefined {
  if (/^\w{2,}:|^\/\//.test(url)) {
    return 'A picture from another server would tell that server who is reading. Put it into public/.';
  }
  if (!files.has(url)) {
    const meant = findNearest(`/${basename(url)}`, [...files.keys()]);
    const advice = meant ? `Did you mean ${meant}?` : 'Put it into public/.';
    return `There is no picture ${url}. ${advice} Its path begins there: ![what it shows](/file.jpg).`;
  }
  if (alt?.trim() && !/\.\w{3,4}$|^(image|img|photo|picture|screenshot)[\s_-]*\d*$/i.test(alt))
    return files.get(url);
  return 'The picture has no description for people who cannot see it: ![what it shows](/file.png).';
}

/** Explains why a file is unsuitable as a picture, by what is in it, whatever its name; `undefined` when it is not. */
async function findPictureFault(path: string): Promise<string | undefined> {
  const name = basename(path);
  // Undefined for a file that is no picture at all.
  const found = await sharp(path)
    .metadata()
    .catch(() => undefined);
  const isShown = /^(jpeg|png|webp|gif|svg)$/.test(found?.format ?? '') || found?.compression === 'av1';
  if (!isShown) return `${name} is damaged, or a format that most browsers cannot show. Export it as JPEG.`;
  const size = Math.ceil(statSync(path).size / 1000);
  return size > heaviestPicture
    ? `${name} has ${size.toLocaleString('en')} KB. Make it at most ${heaviestPicture} KB.`
    : undefined;
}

function checkLink(url: string, page: string, { places, files }: Targets): string | undefined {
  if (/^https:\/\/www\.google\.[^/]+\/url\?/.test(url))
    return 'The link leads through Google. Open it, and copy the address that the browser shows then.';
  if (/^mailto:[^@\s]+@[^@\s]+$|^tel:.*\d|^https:\/\/[^/?#]+\.[^/?#]/i.test(url)) return;
  if (!url || url === '#') return 'The link has no address. Write [words](/address).';
  const [local, place = '/'] = /^https?:\/\/(?:localhost|127\.0\.0\.1)[:\d]*(\/.*)?$/.exec(url) ?? [];
  if (local) return `${url} works on your machine only. Write ${place}.`;
  if (/^http:/i.test(url)) return `${url} is not encrypted. Write https:// instead of http://.`;

  const [, typed = '', anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(url) ?? [];
  const path = typed.replace(/(.)\/$/, '$1') || page;
  if (files.has(path) || /^\/welcome\/./.test(path)) return;
  const known = places.get(path);
  if (known && anchor && !known.has(anchor)) {
    const all = [...known].map((one) => `#${one}`);
    return `The page ${path} has no section #${anchor}. ${suggest(`#${anchor}`, all, 'There is')}`;
  }
  if (known) return;
  const pages = [...places.keys()].filter((one) => one !== '/');
  const all = [...places].flatMap(([one, its]) => [...its].map((name) => `${one}#${name}`));
  const nearest = findNearest(`/${basename(path)}`.replace(/\.\w+$/, ''), [...pages, ...all]);
  const advice = nearest
    ? `Did you mean ${nearest}?`
    : `An address begins with https://, mailto: or tel:, or is one of /, ${pages.join(', ')}.`;
  return `There is no page ${url}. ${advice}`;
}
