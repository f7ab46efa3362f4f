import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { readSettings } from '../../ops/stack/settings.ts';
import { siteEnvironment } from '../../ops/stack/site-build.ts';
import { fillHtml } from '../../shared/fill-template.ts';
import { placeholders, site as facts } from '../../src/config/site.ts';
import { loadRenderer } from '../../src/emails/load-renderer.ts';
import { deploymentValues, SiteCopy } from './site-copy.ts';
import type { Amount } from '../other-content.ts';
import { readWords } from '../words.ts';
import { answerFrom, openQuestions, widths } from './every-page.ts';
import { addAxe, findFaults, findViolations } from './faults.ts';
import { reply, test, watchLandingPage } from './landing-page.ts';

// Both sites are built once, so the tests of this file run in one process.
test.describe.configure({ mode: 'default' });

/** One page of each layout. */
const paths = ['/', '/about', '/support', '/terms-of-use', '/welcome/name', '/unsubscribe'];
/** How much of the screen may move, and how far: a tenth of what Google calls good (https://web.dev/articles/cls). */
const fewestShifts = 0.01;
const devUrl = 'http://localhost:3000/functions/v1/resend-email';
/** Values of a real project, which a preview must not get to use even if somebody sets them. */
const real = { ...deploymentValues, PUBLIC_EMAIL_FUNCTION_URL: 'https://functions.test/resend-email' };
/** With the least words, a preview of a branch at Cloudflare. With the most, a site with both switches on. */
const sites = {} as Record<Amount, SiteCopy>;

test.beforeAll(() => {
  test.setTimeout(240_000);
  sites.least = new SiteCopy({ content: 'least' });
  expect(sites.least.build({ ...real, WORKERS_CI: '1' })).toMatchObject({ status: 0 });
  const ports = ['SITE_PORT', 'API_PORT', 'DB_PORT', 'INBOX_PORT'];
  const stack = Object.fromEntries(ports.map((name) => [name, process.env[`TEST_${name}`]]));
  const settings = readSettings({ ...stack, PUBLIC_DEV_MODE: 'true', PUBLIC_FAILURE_NOTICE: 'true' });
  sites.most = new SiteCopy({ content: 'most' });
  expect(sites.most.build(siteEnvironment(settings))).toMatchObject({ status: 0 });
});
test.afterAll(() => Object.values(sites).forEach((site) => site.remove()));

/** Serves a site at the address of the stack, in place of the stack's own. */
async function serve(page: Page, amount: Amount, baseURL = '') {
  const folder = join(sites[amount].folder, 'dist');
  await page.route(`${baseURL}/**`, (route) => answerFrom(folder, route));
  return watchLandingPage(page, sites[amount].folder);
}

/** Holds back the fonts of the pages that open next. Returns what lets them arrive and measures how much the page shifts then. */
async function holdFonts(page: Page): Promise<() => Promise<number>> {
  let gate = Promise.withResolvers<void>();
  let held = 0;
  await page.route('**/*.woff2', async (route) => (held++, await gate.promise, route.fallback()));
  return async () => {
    await expect.poll(() => held).toBeGreaterThan(0);
    const draw = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await page.evaluate(draw);
    gate.resolve();
    await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load().catch(() => {}))));
    await page.evaluate(draw);
    gate = Promise.withResolvers();
    held = 0;
    return page.evaluate(async () => {
      let sum = 0;
      const add = (list: PerformanceObserverEntryList) =>
        list.getEntries().forEach((entry) => (sum += (entry as PerformanceEntry & { value: number }).value));
      new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
      await new Promise((done) => setTimeout(done, 0));
      return sum;
    });
  };
}

async function expectWhole(page: Page, place: string, part?: string, at = widths): Promise<void> {
  for (const width of at) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findFaults(page, part), `${place}, ${width} px`).toEqual([]);
  }
}

for (const amount of ['least', 'most'] as const) {
  test(`with the ${amount} words, pages are whole, and fonts shift nothing`, async ({ page, baseURL }) => {
    test.setTimeout(120_000);
    await addAxe(page);
    await serve(page, amount, baseURL);
    const letFontsArrive = await holdFonts(page);
    for (const path of paths) {
      for (const some of [widths.slice(0, 2), widths.slice(2)]) {
        await page.setViewportSize({ width: some[0]!, height: 900 });
        // The page is loaded only when its fonts are.
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        expect(await letFontsArrive(), `${path}, ${some[0]} px`).toBeLessThanOrEqual(fewestShifts);
        await openQuestions(page);
        await expectWhole(page, path, 'body', some);
      }
      expect(await findViolations(page, 'header'), path).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      await expectWhole(page, `${path}, printed`, 'body', [720]);
      await page.emulateMedia({ media: 'screen' });
    }
  });
}

test('with the most words and a long address, an announcement is whole', async ({ page, baseURL }) => {
  const { renderAnnouncement } = await loadRenderer();
  const values = { ...placeholders, PUBLIC_SITE_URL: baseURL! };
  const { html } = await renderAnnouncement('item-1', values, sites.most.folder);
  const address = `${'n'.repeat(64)}@example.org`;
  await page.setContent(fillHtml(html, { address, unsubscribeAddress: '', siteUrl: '' }));
  await expectWhole(page, 'announcement', 'body', widths.toReversed()); // a phone last
  const button = page.locator('.email-action');
  const { width } = (await button.boundingBox())!;
  expect((await button.locator('a').boundingBox())!.width, 'a tap beside its words counts').toBe(width);
  await button.locator('a').evaluate((link) => (link.style.padding = '0')); // as in Outlook on Windows
  expect((await button.boundingBox())!.height, 'the height of a finger').toBeGreaterThanOrEqual(44);
  const readHeights = (all: Element[]) => all.map((one) => one.getBoundingClientRect().height);
  const rows = await page.locator('.email-social').evaluateAll(readHeights);
  expect(Math.min(...rows), 'between two links of networks').toBeGreaterThanOrEqual(40);
});

test('a preview says so on every page, is not listed, and can call nothing real', () => {
  const site = sites.least;
  const files = globSync('dist/**/*.{html,js,txt,xml}', { cwd: site.folder }).concat('dist/_headers');
  const names = files.filter((file) => file.endsWith('.html'));
  expect(names.length).toBeGreaterThan(5);
  for (const page of names) {
    expect(site.read(page), page).toContain(facts.previewNotice);
    expect(site.read(page), page).toContain('<meta name="robots" content="noindex">');
  }
  for (const file of files)
    for (const value of Object.values(real)) expect(site.read(file), file).not.toContain(value);
  expect(site.read('dist/index.html')).toContain(`action="${facts.previewUrl}`);
});

test('with the most words, both modals are whole', async ({ page, baseURL }) => {
  const landing = await serve(page, 'most', baseURL);
  await landing.fake({});
  await page.route(devUrl, (route) => reply(route, 200, '{}'));
  await landing.open();
  await landing.menu.open();
  await expectWhole(page, 'menu', 'dialog[open]');
  await page.keyboard.press('Escape');
  await landing.join();
  await expectWhole(page, 'success', 'dialog[open]');
});

test('with both switches on, the dev API is called, and a failure shown', async ({ page, baseURL }) => {
  const landing = await serve(page, 'most', baseURL);
  const form = readWords('waitlistForm', sites.most.folder);
  await landing.fake({});
  let calls = 0;
  await page.route(devUrl, (route) => {
    if (route.request().method() !== 'POST') return reply(route, 200, '{}');
    calls += 1;
    return reply(route, calls === 1 ? 503 : 200, '{}');
  });
  await landing.open();
  await expect(landing.hero.root).toHaveAttribute('action', devUrl);
  const said = landing.hero.root.getByRole('status').filter({ hasText: form.failure });
  await expect(landing.hero.root.locator('[data-failure]'), 'not even an empty box').toBeHidden();
  await landing.hero.submit('name@example.org');
  await expect(said).toBeVisible();
  await expectWhole(page, 'notice', 'form[method=post]');
  await expect(landing.hero.field).toHaveAccessibleDescription(
    `${form.failure} ${form.consent} ${form.consentLink}.`,
  );
  await landing.hero.button.click();
  await expect(landing.success).toBeVisible();
  await expect(said).toHaveCount(0);
  expect(calls).toBe(2);
  await landing.expectCalls('entry');
});
