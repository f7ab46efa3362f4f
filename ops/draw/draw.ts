import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { root } from '../values.ts';
import { english } from '../../src/styles/fonts.ts';
import { drawDashboard } from './dashboard.ts';
import { cutFont } from './fonts.ts';
import { drawFavicon, drawIcon } from './icons.ts';

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** A file that the site only copies. It is committed, so that a build needs neither a browser nor a font engine. */
interface Drawing {
  file: string;
  /** Everything that it is made from. A test compares their hash with the one of the last drawing. */
  inputs: (string | Buffer)[];
  draw(): Promise<Buffer>;
}

const mark = read('public/icon.svg');
const tokens = read('src/styles/tokens.css');
const [, surface = ''] = /--surface:\s*([^;]+);/.exec(tokens) ?? [];

/** The hashes of all drawings, by file. */
export const recordFile = resolve(root, 'ops/draw/drawn.json');

export const drawings: Drawing[] = [
  icon('apple-touch-icon', 180),
  icon('icon-512', 512),
  { file: 'public/favicon.ico', inputs: [mark], draw: () => drawFavicon(mark) },
  font('big-shoulders-stencil', 900),
  font('big-shoulders', 800),
  dashboard('dashboard-phone.avif'),
  dashboard('dashboard-960.avif'),
  dashboard('dashboard-1920.avif'),
  dashboard('dashboard.png'),
];

/** Returns a hash of a drawing and of what it was made from. */
export function hashDrawing(inputs: (string | Buffer)[], data: Buffer): string {
  const hash = createHash('sha256');
  for (const part of [...inputs, data]) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Reads the tokens that a style uses, and those that they use. */
function readTokens(style: string): string[] {
  return [...style.matchAll(/var\(--([\w-]+)\)/g)].flatMap(([, name]) => {
    const [declaration = ''] = new RegExp(`--${name}:[^;]+;`).exec(tokens) ?? [];
    return [declaration, ...readTokens(declaration)];
  });
}

function icon(name: string, size: number): Drawing {
  return {
    file: `public/${name}.png`,
    inputs: [mark, surface],
    draw: () => drawIcon(mark, surface, size),
  };
}

function dashboard(name: string): Drawing {
  const page = 'ops/draw/dashboard.html';
  return {
    file: `src/pictures/${name}`,
    inputs: [read(page), ...readTokens(read(page))],
    draw: () => drawDashboard(resolve(root, page), name),
  };
}

function font(name: string, weight: number): Drawing {
  const whole = readFileSync(
    createRequire(import.meta.url).resolve(`@fontsource/${name}/files/${name}-latin-${weight}-normal.woff2`),
  );
  return {
    file: `src/styles/fonts/${name}-${weight}.woff2`,
    inputs: [whole, ...english],
    draw: () => cutFont(whole),
  };
}

if (import.meta.main) {
  const record: Record<string, string> = {};
  for (const { file, inputs, draw } of drawings) {
    const data = await draw();
    writeFileSync(resolve(root, file), data);
    record[file] = hashDrawing(inputs, data);
    console.log(`${file}: ${data.length.toLocaleString('en')} bytes`);
  }
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
}
