import { createHash } from 'node:crypto';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { readToken } from '../styles/tokens.ts';
import { drawLanded } from './landed.tsx';
import materials from './materials.css?raw';
import { type PictureName, pictograms } from './names.ts';
import { drawPictogram } from './pictograms.tsx';
import { drawYard } from './yard.tsx';

export interface PictureFile {
  /** Its URL path. The name contains a hash of the drawing, so that browsers can cache it forever. */
  path: `/pictures/${string}.svg`;
  svg: string;
  width: number;
  height: number;
}

/** The pictures of the site, drawn once. As separate files, pictures further down do not delay a page. */
export const pictureFiles: Record<PictureName, PictureFile> = {
  yard: toFile('yard', await drawYard(false)),
  landed: toFile('landed', drawLanded()),
  ...Object.fromEntries(pictograms.map((name) => [name, toFile(name, drawPictogram(name))])),
  ...drawBrands(),
} as Record<PictureName, PictureFile>;

/** The icons of networks, each in a file as https://simpleicons.org offers it, in the color of paper. */
function drawBrands(): Record<string, PictureFile> {
  const brands = import.meta.glob<string>('./brands/*.svg', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  return Object.fromEntries(
    Object.entries(brands).map(([file, svg]) => {
      const name = file.slice('./brands/'.length, -'.svg'.length);
      const [, outline] = / d="([^"]+)"/.exec(svg) ?? [];
      const drawing = (
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
          <path className="paper" d={outline} />
        </svg>
      );
      return [name, toFile(name, drawing)];
    }),
  );
}

export function toFile(name: string, drawing: ReactElement<{ viewBox: string }>): PictureFile {
  const [, , width = 0, height = 0] = drawing.props.viewBox.split(' ').map(Number);
  const svg = wear(renderToStaticMarkup(drawing));
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 6);
  return { path: `/pictures/${name}.${hash}.svg`, svg, width, height };
}

/**
 * Adds the materials of a drawing, because an SVG file cannot use the page's style sheet. Colors are those of the night,
 * except in a drawing's own rules for a light scheme.
 */
export function wear(drawing: string): string {
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
