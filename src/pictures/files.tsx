import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { readToken } from '../styles/tokens.ts';
import { drawLanded } from './landed.tsx';
import materials from './materials.css?raw';
import type { PictureName } from './names.ts';
import { drawings } from './pictograms.tsx';
import { drawYard } from './yard.tsx';

export interface PictureFile {
  /** Its URL path. The name contains a hash of the drawing, so that browsers can cache it forever. */
  path: `/pictures/${string}.svg`;
  svg: string;
  width: number;
  height: number;
}

const drawn = { yard: await drawYard(false), landed: drawLanded(), ...drawings };

/** The icons of networks, each in a file as https://simpleicons.org offers it. */
const brands = import.meta.glob<string>('./brands/*.svg', { query: '?raw', import: 'default', eager: true });

/** The pictures of the site, drawn once. As separate files, pictures further down do not delay a page. */
export const pictureFiles = Object.fromEntries([
  ...Object.entries(drawn).map(([name, drawing]) => [name, toFile(name, renderToStaticMarkup(drawing))]),
  ...Object.entries(brands).map(([file, svg]) => {
    const name = basename(file, '.svg');
    return [name, toFile(name, svg.replace('<path', '<path class="paper"'))];
  }),
]) as Record<PictureName, PictureFile>;

/** The yard of phones, tablets and share cards. */
export const compactYard = toFile('yard', renderToStaticMarkup(await drawYard(true)));

export function toFile(name: string, drawing: string): PictureFile {
  const [, width = 0, height = 0] = (/ viewBox="\S+ \S+ (\S+) (\S+)"/.exec(drawing) ?? []).map(Number);
  const svg = wear(drawing);
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 6);
  return { path: `/pictures/${name}.${hash}.svg`, svg, width, height };
}

/**
 * Adds the materials of a drawing, because an SVG file cannot use the page's style sheet. Colors are those of the night,
 * except in a drawing's own rules for a light scheme.
 */
function wear(drawing: string): string {
  const rules = materials.match(/[^{}]+\{[^}]*\}/g) ?? [];
  const isWorn = (rule: string) =>
    [...rule.matchAll(/\.([a-z]\w*)/g)].every(([, name]) => drawing.includes(`class="${name}"`));
  const worn = rules.filter(isWorn).join('').replace(/\s+/g, ' ');
  const [opening = ''] = /^<svg[^>]*>/.exec(drawing) ?? [];
  const byDay = /@media \(prefers-color-scheme:light\)\{(?:[^{}]+\{[^{}]*\})+/;
  const dressed = `${opening}<style>${worn}</style>${drawing.slice(opening.length)}`;
  return resolveTokens(dressed.replace(byDay, (own) => resolveTokens(own, 'day')));
}

function resolveTokens(rules: string, scheme?: 'day'): string {
  return rules.replace(/var\(--([\w-]+)\)/g, (_, token: string) => readToken(token, scheme));
}
