import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { formatDollars, splitSales } from '../config/earnings.ts';
import { examples, figures, site } from '../config/site.ts';
import { readToken } from '../styles/tokens.ts';
import { stencil } from './lettering.tsx';
import { materials } from './materials.ts';
import type { PictureName } from './names.ts';

export interface PictureFile {
  /** Its URL path. The name contains a hash of the drawing, so that browsers can cache it forever. */
  path: `/pictures/${string}.svg`;
  svg: string;
  width: number;
  height: number;
}

const [, price] = examples.prices;
const payout = `+${formatDollars(splitSales(price).kept)}`;

/** What drawings leave blank, such as `{{siteName}}`, because it depends on the configuration. */
const blanks: Record<string, string> = {
  materials,
  siteName: await stencil(site.name, 30, 200, 48),
  share: await stencil(figures.freeShare, 46, 108, 136),
  price: await stencil(formatDollars(price, 'stripIfInteger'), 40, 80),
  payout: await stencil(payout, 210 / payout.length, 116, 44),
};

/** Drawings, and the icons of networks in `brands/`, each as https://simpleicons.org offers it. */
const sources = import.meta.glob<string>(['./*.svg', './brands/*.svg'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The pictures of the site, each in a file of its own, so that those further down do not delay a page. */
export const {
  'yard-compact': compactYard,
  'dashboard-compact': compactDashboard,
  ...pictureFiles
} = Object.fromEntries(
  Object.entries(sources).map(([file, source]) => {
    const name = basename(file, '.svg');
    const isIcon = file.startsWith('./brands/');
    const color = `<svg fill="${readToken('paper')}"`;
    return [name, toFile(name, isIcon ? source.replace('<svg', color) : fillBlanks(source))];
  }),
) as Record<PictureName | 'yard-compact' | 'dashboard-compact', PictureFile>;

/**
 * Fills the blanks of a drawing. Those that are not above are colors, such as `{{lamp}}` or `{{surface day}}`. Throws an Error with
 * the name of a blank that is unknown.
 */
export function fillBlanks(drawing: string): string {
  return drawing.replace(
    /\{\{(.*?)( day)?\}\}/g,
    (_, name: string, day?: string) => blanks[name] ?? readToken(name, day ? 'day' : 'night'),
  );
}

/** Names the file of a drawing, and reads its width and height. */
export function toFile(name: string, svg: string): PictureFile {
  const [, width = 0, height = 0] = (/ viewBox="\S+ \S+ (\S+) (\S+)"/.exec(svg) ?? []).map(Number);
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 6);
  return { path: `/pictures/${name}.${hash}.svg`, svg, width, height };
}
