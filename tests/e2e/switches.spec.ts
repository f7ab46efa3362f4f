import { expect, test } from '@playwright/test';
import { join } from 'node:path';
import { staticHost } from '../../local/parts.ts';
import { RunningParts } from '../../local/running-parts.ts';
import { findFreePort, prepareDataDir, readSettings } from '../../local/settings.ts';
import { buildSite } from '../../local/site-build.ts';
import { readWords } from '../words.ts';
import { LandingPage, reply } from './landing-page.ts';

const devUrl = 'http://localhost:3000/functions/v1/resend-email';
const form = readWords('waitlistForm');

let switchedUrl: string;
const parts = new RunningParts();

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
  await parts.start(staticHost(settings));
  switchedUrl = settings.siteUrl;
});
test.afterAll(() => parts.stop());

test('the email call goes to the dev API, and a form says that it failed, until the next try', async ({
  page,
}) => {
  const landing = new LandingPage(page);
  await landing.fake({});
  const calls: string[] = [];
  let status = 503;
  await page.route(devUrl, (route) => {
    if (route.request().method() !== 'POST') return reply(route, 200, '{}');
    calls.push(route.request().url());
    return reply(route, status, '{}');
  });
  await landing.open(switchedUrl);
  await expect(landing.hero.root).toHaveAttribute('action', devUrl);
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
  expect(calls).toEqual([devUrl, devUrl]);
  await landing.expectCalls('entry');
});
