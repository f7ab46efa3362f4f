import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';
import { readSettings } from '../../local/settings.ts';
import { siteEnvironment } from '../../local/site-build.ts';
import { loadRenderer } from '../../src/email/load-renderer.ts';
import { placeholders } from '../../src/site.ts';
import { SiteCopy } from '../build/site-copy.ts';
import type { Amount } from '../other-content.ts';
import { readWords } from '../words.ts';
import { findFaults } from './faults.ts';
import { makeAddress, readEntries } from './landing-page.ts';
import { fewestShifts, watchShifts } from './shifts.ts';

// Both sites are built once, so the tests of this file run in one process.
test.describe.configure({ mode: 'default' });

// So that no question is still opening while it is measured.
// Chromium treats a page that a test answers as one from the internet, which may not call the backend on this machine.
test.use({ reducedMotion: 'reduce', permissions: ['local-network-access'] });

const paths = ['/', '/about', '/support', '/terms-of-use', '/privacy-policy', '/welcome/name', '/leave'];
const widths = [320, 768, 1440, 2560];
const sites = {} as Record<Amount, SiteCopy>;

test.beforeAll(() => {
  test.setTimeout(240_000);
  const ports = ['SITE_PORT', 'API_PORT', 'DB_PORT', 'INBOX_PORT'];
  const settings = readSettings(Object.fromEntries(ports.map((name) => [name, process.env[`TEST_${name}`]])));
  for (const amount of ['least', 'most'] as const) {
    sites[amount] = new SiteCopy({ content: amount });
    expect(sites[amount].build(siteEnvironment(settings))).toMatchObject({ status: 0 });
  }
});
test.afterAll(() => Object.values(sites).forEach((site) => site.remove()));

/** Serves a site at the address of the stack, so that its forms reach the real backend. */
async function serve(page: Page, amount: Amount, baseURL = ''): Promise<void> {
  const folder = join(sites[amount].folder, 'dist');
  await page.route(`${baseURL}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const name = pathname.startsWith('/welcome/') ? '/welcome' : pathname;
    const file = [name, `${name}/index.html`].find((one) => /\.\w+$/.test(one) && existsSync(folder + one));
    return route.fulfill(file ? { path: folder + file } : { status: 404, path: `${folder}/404.html` });
  });
}

for (const amount of ['least', 'most'] as const) {
  for (const path of paths) {
    test(`${path} is whole with the ${amount} words that content may have`, async ({ page, baseURL }) => {
      test.setTimeout(120_000);
      await serve(page, amount, baseURL);
      await page.goto(path);
      await page.evaluate(axe.source);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) {
          // Otherwise opening one would close the others.
          details.removeAttribute('name');
          details.open = true;
        }
      });
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          expect(await findFaults(page), `${width} px, ${colorScheme}`).toEqual([]);
        }
        expect(await findViolations(page), colorScheme).toEqual([]);
      }
      await page.emulateMedia({ media: 'print', colorScheme: 'light' });
      await page.setViewportSize({ width: 720, height: 1000 });
      expect(await findFaults(page), 'printed').toEqual([]);
    });
  }

  test(`no page shifts when its fonts arrive late, with the ${amount} words`, async ({ page, baseURL }) => {
    test.slow();
    await serve(page, amount, baseURL);
    const shifts = await watchShifts(page);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of paths) {
        // The page is loaded only when its fonts are.
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        expect(await shifts.letFontsArrive(), `${path}, ${width} px`).toBeLessThanOrEqual(fewestShifts);
      }
    }
  });

  test(`an announcement is whole with the ${amount} words`, async ({ page, baseURL }) => {
    const { renderAnnouncement } = await loadRenderer();
    const values = { ...placeholders, PUBLIC_SITE_URL: baseURL! };
    const { html } = await renderAnnouncement('item-1', values, sites[amount].folder);
    await page.setContent(html);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findFaults(page), `${width} px`).toEqual([]);
    }
  });

  test(`both modals are whole, and a sign-up works, with the ${amount} words`, async ({ page, baseURL }) => {
    await serve(page, amount, baseURL);
    const words = (name: 'navigation' | 'waitlistForm' | 'success') =>
      readWords(name, sites[amount].folder) as Record<string, string>;
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto('/');
    await page.getByRole('button', { name: words('navigation').open!, exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await findFaults(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    const address = makeAddress();
    const form = page.locator('form[method=post]').first();
    await form.getByRole('textbox').fill(address);
    await form.getByRole('button').click();
    await expect(page.getByRole('dialog', { name: words('success').heading!, exact: true })).toBeVisible();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findFaults(page, 'dialog[open]'), `${width} px`).toEqual([]);
    }
    await expect.poll(() => readEntries(address)).toHaveLength(1);
  });
}

function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    // The project's own test measures contrast, which words do not change.
    const { violations } = await run({
      rules: { 'color-contrast': { enabled: false } },
      resultTypes: ['violations'],
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
    );
  });
}
