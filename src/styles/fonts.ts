import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { fontProviders } from 'astro/config';

type Ranges = [string, ...string[]];

/** The letters of English, and those of other western languages. A page that does not use the others never fetches them. */
const english: Ranges = ['U+20-7E', 'U+A0', 'U+2013-2014', 'U+2018-2019', 'U+201C-201D', 'U+2026'];
const others: Ranges = ['U+A1-2012', 'U+2015-2017', 'U+201A-201B', 'U+201E-2025', 'U+2027-FFFF'];

/** Lists the fonts of signs. `src/pictures/lettering.tsx` has the same for pictures and share cards. */
export const listFonts = () => [
  offerFont('Big Shoulders Stencil', '--font-stencil', 900),
  offerFont('Big Shoulders', '--font-signs', 800),
];

/**
 * Offers one weight of a font package in two files. The first has the letters of English, so that a page can preload it, and
 * the other those of western languages. docs/design.md says how to cut the file for English.
 */
function offerFont(name: string, cssVariable: `--font-${string}`, weight: number) {
  const id = name.toLowerCase().replaceAll(' ', '-');
  const cut = fileURLToPath(new URL(`./fonts/${id}-${weight}.woff2`, import.meta.url));
  const whole = createRequire(import.meta.url).resolve(
    `@fontsource/${id}/files/${id}-latin-${weight}-normal.woff2`,
  );
  return {
    provider: fontProviders.local(),
    name,
    cssVariable,
    fallbacks: [],
    options: {
      variants: [
        { weight, style: 'normal', src: [cut] as [string], unicodeRange: english },
        { weight, style: 'normal', src: [whole] as [string], unicodeRange: others },
      ],
    },
  };
}
