import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { readToken } from '../styles/tokens.ts';
import { drawLanded } from './landed.tsx';
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
    return [name, toFile(name, svg.replace('<svg', `<svg fill="${readToken('paper')}"`))];
  }),
]) as Record<PictureName, PictureFile>;

/** The yard of phones, tablets and share cards. */
export const compactYard = toFile('yard', renderToStaticMarkup(await drawYard(true)));

export function toFile(name: string, svg: string): PictureFile {
  const [, width = 0, height = 0] = (/ viewBox="\S+ \S+ (\S+) (\S+)"/.exec(svg) ?? []).map(Number);
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 6);
  return { path: `/pictures/${name}.${hash}.svg`, svg, width, height };
}
