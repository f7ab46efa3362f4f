import type { ChildProcess } from 'node:child_process';
import { expect, type Page, type Route, test } from '@playwright/test';
import { join } from 'node:path';
import { staticHost } from '../../local/parts.ts';
import { startProcess, stopProcess, waitUntil } from '../../local/process.ts';
import { findFreePort, prepareDataDir, readSettings } from '../../local/settings.ts';
import { buildSite } from '../../local/site-build.ts';
import { readWords } from '../words.ts';
import { functionUrl, LandingPage, reply } from './landing-page.ts';

const devUrl = 'http://localhost:3000/functions/v1/resend-email';
const form = readWords('waitlistForm');

// One build and one host are enough for all tests.
test.describe.configure({ mode: 'default' });

let switchedUrl: string;
let host: ChildProcess;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const settings = readSettings({
    SITE_PORT: String(await findFreePort()),
    API_PORT: process.env['TEST_API_PORT'],
    DATA_DIR: join(process.env['TEST_DATA_DIR'] ?? '', 'switched'),
    PUBLIC_DEV_MODE: 'true',
    PUBLIC_FAILURE_NOTICE: 'true',
  });
  prepareDataDir(settings.dataDir);
  await buildSite(settings, new AbortController().signal);
  const part = staticHost(settings);
  host = startProcess(part);
  if (!(await waitUntil(part.isReady, 60_000))) throw new Error('The site with both switches is not served.');
  switchedUrl = settings.siteUrl;
});
test.afterAll(() => stopProcess(host));

/** Opens the landing page with both switches off or on. */
async function open(page: Page, position: 'off' | 'on'): Promise<LandingPage> {
  const landing = new LandingPage(page);
  await landing.open(position === 'on' ? switchedUrl : '/');
  return landing;
}

/** Answers the email call at both URLs, and records which one was called. */
async function answerWelcome(page: Page, status: () => number): Promise<string[]> {
  const calls: string[] = [];
  const answer = (route: Route) => {
    if (route.request().method() === 'POST') calls.push(route.request().url());
    return reply(route, route.request().method() === 'POST' ? status() : 200, '{}');
  };
  for (const url of [functionUrl, devUrl]) await page.route(url, answer);
  return calls;
}

for (const [position, url] of [
  ['off', functionUrl],
  ['on', devUrl],
] as const) {
  test(`with dev mode ${position}, the email call goes to ${new URL(url).host.replace(/\d+$/, '…')}`, async ({
    page,
  }) => {
    const landing = await open(page, position);
    await landing.fake({});
    const calls = await answerWelcome(page, () => 200);
    await landing.hero.submit('name@example.org');
    await expect(landing.success).toBeVisible();
    expect(calls).toEqual([url]);
    await expect(landing.hero.root).toHaveAttribute('action', url);
    await expect.poll(() => landing.calls).toContain('entry');
  });
}

test('without the failure notice, a failed sign-up changes nothing on the page', async ({ page }) => {
  const landing = await open(page, 'off');
  const calls = await answerWelcome(page, () => 503);
  const before = await page.locator('body').innerText();
  await landing.hero.submit('name@example.org');
  await expect.poll(() => calls).toHaveLength(1);
  await expect(landing.hero.button).toHaveText(form.action);
  expect(await page.locator('body').innerText()).toBe(before);
  expect(await page.content()).not.toContain(form.failure);
});

test('with the failure notice, the form says that it failed, keeps the email, and clears the notice on the next try', async ({
  page,
}) => {
  const landing = await open(page, 'on');
  let status = 503;
  await answerWelcome(page, () => status);
  await landing.fake({ welcome: (route) => reply(route, status, '{}') });
  const said = landing.hero.root.getByRole('status').filter({ hasText: form.failure });
  await expect(said).toHaveCount(0);
  await landing.hero.submit('name@example.org');
  await expect(said).toBeVisible();
  await expect(landing.hero.field).toHaveValue('name@example.org');
  await expect(landing.hero.field).toHaveAccessibleDescription(
    `${form.failure} ${form.consent} ${form.consentLink}.`,
  );
  await expect(landing.hero.button).toBeFocused();
  await expect(landing.waitlist.root.getByText(form.failure)).toHaveCount(0);

  status = 200;
  await landing.hero.button.click();
  await expect(landing.success).toBeVisible();
  await expect(said).toHaveCount(0);
});
