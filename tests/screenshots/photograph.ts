import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Browser, chromium, type Page, type Route } from '@playwright/test';
import { findBrowser } from '../../ops/stack/browser.ts';
import { deploymentValues } from '../pages/site-copy.ts';
import { answerFrom, viewports } from '../pages/every-page.ts';

const origin = deploymentValues.PUBLIC_SITE_URL;
const schemes = ['dark', 'light'] as const;
const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };

/** What can be photographed of the site, in addition to its pages. Found by structure, because words differ between commits. */
interface State {
  name: string;
  path: string;
  /** Leads from the loaded page to the state. */
  reach?(page: Page): Promise<unknown>;
  /** Whether the backend never answers. */
  isWaiting?: boolean;
}

const signUp = async (page: Page) => {
  const form = page.locator('form[method=post]').first();
  await form.locator('input[type=email]').fill('visitor@example.org');
  await form.locator('button').click();
};

const states: State[] = [
  { name: 'first sight', path: '/' },
  { name: 'menu', path: '/', reach: (page) => page.locator('header button').first().click() },
  { name: 'question', path: '/', reach: (page) => page.locator('#faq summary').nth(1).click() },
  { name: 'joining', path: '/', reach: signUp, isWaiting: true },
  {
    name: 'joined',
    path: '/',
    reach: async (page) => {
      await signUp(page);
      await page.locator('dialog[open]').waitFor();
    },
  },
  ...['joined', 'address-refused', 'not-joined', 'try-later'].map((outcome) => ({
    name: `${outcome} without scripts`,
    path: `/#${outcome}`,
  })),
  { name: 'unsubscribed', path: '/unsubscribe#unsubscribed' },
  { name: 'welcome to a name', path: '/welcome/visitor%40example.org' },
  { name: 'welcome to a malformed name', path: '/welcome/%E0%A4%A' },
];

/** Takes a picture of every page and state of a built site, by its name. A state that cannot be reached has none. */
export async function photograph(folder: string): Promise<Map<string, Buffer>> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    // Chromium does not pass emulated reduced motion on to pictures.
    args: ['--force-prefers-reduced-motion'],
  });
  const pages = globSync('**/index.html', { cwd: folder })
    .sort()
    .map((file) => ({ name: `/${dirname(file)}`.replace('/.', '/'), path: `/${dirname(file)}` }));
  const sights = viewports.flatMap((viewport) => schemes.map((colorScheme) => ({ viewport, colorScheme })));
  const pictures = new Map<string, Buffer>();
  const take = async (sight: (typeof sights)[number], state: State, fullPage: boolean) => {
    const name = `${state.name}, ${sight.viewport.width} px, ${sight.colorScheme}`;
    try {
      pictures.set(name, await photographState(browser, folder, sight, state, fullPage));
    } catch (error) {
      console.warn(`No picture of "${name}": ${(error as Error).message.split('\n')[0]}`);
    }
  };
  // Several at a time, which is faster, also on two processor cores.
  const tasks = sights.flatMap((sight) => [
    ...pages.map((page) => () => take(sight, page, true)),
    ...states.map((state) => () => take(sight, state, false)),
  ]);
  await Promise.all(
    [1, 2, 3].map(async () => {
      for (let task; (task = tasks.shift());) await task();
    }),
  );
  await browser.close();
  return pictures;
}

async function photographState(
  browser: Browser,
  folder: string,
  sight: { viewport: { width: number; height: number }; colorScheme: 'dark' | 'light' },
  { path, reach, isWaiting }: State,
  fullPage: boolean,
): Promise<Buffer> {
  const page = await browser.newPage({ ...sight, reducedMotion: 'reduce' });
  page.setDefaultTimeout(10_000);
  try {
    await page.route('**/*', (route) => answer(route, folder, isWaiting));
    await page.goto(origin + path);
    await reach?.(page);
    // Away from a button that was clicked, which would be lit.
    await page.mouse.move(0, 0);
    await loadPictures(page);
    return await page.screenshot({ fullPage, animations: 'disabled' });
  } finally {
    await page.close();
  }
}

/** Answers in place of the static host and of the backend. */
async function answer(route: Route, folder: string, isWaiting = false): Promise<void> {
  if (route.request().url().startsWith(origin)) await answerFrom(folder, route);
  else if (!isWaiting)
    await route.fulfill({ status: 200, headers: cors, contentType: 'application/json', body: '{}' });
}

async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const image of document.images) {
      image.loading = 'eager';
      // Otherwise a picture may be missing when the browser draws the whole page for a screenshot.
      image.decoding = 'sync';
    }
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
}
