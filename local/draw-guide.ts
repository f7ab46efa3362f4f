import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { kinds } from '../src/words/kinds.ts';
import { readSource } from '../src/words/read-source.ts';
import { ensureBrowser } from './browser.ts';
import { prepareDataDir, readSettings } from './settings.ts';
import { buildSite, siteFolder } from './site-build.ts';

/** Draws the pictures of docs/editing.md: pages with a mark around each part, and the file that it comes from. */
const drawings = [
  { name: 'landing-1', path: '/', from: 'header', to: '#waitlist-heading' },
  { name: 'landing-2', path: '/', from: '#creators-heading', to: '#banner-heading' },
  { name: 'landing-3', path: '/', from: '#reasons-heading', to: 'footer' },
  { name: 'support', path: '/support', from: 'header', to: 'footer' },
];

const settings = readSettings(process.env);
const pictures = join(settings.root, 'docs/pictures');
prepareDataDir(settings.dataDir);
await buildSite(settings, new AbortController().signal);
mkdirSync(pictures, { recursive: true });

const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 }, reducedMotion: 'reduce' });
  await serve(page);
  for (const { name, path, from, to } of drawings) {
    await page.goto(settings.siteUrl + path);
    await loadPictures(page);
    await page.evaluate(mark, listParts(path));
    const clip = await page.evaluate(measure, { from, to });
    const picture = await page.screenshot({ fullPage: true, clip });
    await sharp(picture)
      .webp({ quality: 45, effort: 6 })
      .toFile(join(pictures, `${name}.webp`));
    console.log(`docs/pictures/${name}.webp`);
  }
} finally {
  await browser.close();
}

/** Answers from the built site: for a few pictures nothing has to listen anywhere. */
async function serve(page: Page): Promise<void> {
  await page.route('**/*', (route) => {
    const file = join(siteFolder(settings), decodeURI(new URL(route.request().url()).pathname));
    const path = [file, join(file, 'index.html')].find((file) => existsSync(file) && /\.\w+$/.test(file));
    return path ? route.fulfill({ path }) : route.fulfill({ status: 404 });
  });
}

/** Lists the files that a page shows, each with its words: some of them will be found on the page. */
function listParts(path: string): { file: string; words: string[] }[] {
  return Object.values(kinds)
    .filter(({ page }) => page === path)
    .flatMap(({ folder, name, schema }) =>
      globSync(`content/${folder}/${name ?? '*'}.mdx`, { cwd: settings.root }).map((file) => {
        const fields = schema.parse(readSource(readFileSync(join(settings.root, file), 'utf8')).fields);
        // The title of a page is in its tab, and otherwise only in links that lead there.
        const shown = Object.entries(fields).filter(([field]) => folder !== 'pages' || field !== 'title');
        return { file, words: shown.map(([, value]) => value).filter((value) => typeof value === 'string') };
      }),
    );
}

async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      [...document.images].map(async (image) => {
        image.loading = 'eager';
        await image.decode().catch(() => undefined);
      }),
    ),
  );
  await page.evaluate(() => document.fonts.ready);
}

/** Runs in the page: draws a frame around what holds the words of each file, and the file's name into its corner. */
function mark(parts: { file: string; words: string[] }[]): void {
  const clean = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();
  const elements = [...document.querySelectorAll<HTMLElement>('h1, h2, h3, label, summary, strong, p, a')];
  const seen = elements.filter((element) => element.checkVisibility() && element.offsetWidth > 1);
  for (const { file, words } of parts) {
    const isItem = !/\/(sections|pages)\//.test(file);
    const whole = isItem ? 'li, details' : 'form, section, main';
    const [found] = words.flatMap((text) =>
      seen.filter((element) => clean(element.textContent) === clean(text)),
    );
    const part = found?.closest('header, footer') ?? found?.closest(whole);
    if (!part) continue;
    const box = part.getBoundingClientRect();
    const frame = document.createElement('div');
    const inset = isItem ? 0 : 6;
    Object.assign(frame.style, {
      position: 'absolute',
      zIndex: '9',
      left: `${box.left + inset}px`,
      top: `${box.top + scrollY + inset}px`,
      width: `${box.width - 2 * inset}px`,
      height: `${box.height - 2 * inset}px`,
      outline: isItem ? '2px dashed #ff4fa3' : '3px solid #ff4fa3',
      pointerEvents: 'none',
    });
    const label = document.createElement('span');
    label.textContent = file.replace('content/', '');
    Object.assign(label.style, {
      position: 'absolute',
      // Above an item, where there is room: a question has none.
      ...(part.matches('li') ? { left: '0', top: '-22px' } : { right: '0', top: '0' }),
      padding: '2px 8px',
      background: '#ff4fa3',
      color: '#101114',
      font: '700 15px/1.4 ui-monospace, monospace',
    });
    frame.append(label);
    document.body.append(frame);
  }
}

/** Runs in the page: the band from the top of one part to the bottom of another, in pixels. */
function measure({ from, to }: { from: string; to: string }) {
  const find = (selector: string) => {
    const element = document.querySelector(selector);
    return (element?.closest('section, footer, header') ?? element)!.getBoundingClientRect();
  };
  const top = find(from).top + scrollY;
  return { x: 0, y: top, width: innerWidth, height: find(to).bottom + scrollY - top };
}
