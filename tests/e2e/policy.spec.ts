import { expect, type Page, test } from '@playwright/test';
import { readWords } from '../words.ts';
import { everyPage } from './every-page.ts';
import { LandingPage, makeAddress, readEntries, readMessages } from './landing-page.ts';
import { watchViolations } from './violations.ts';

test.describe('what the site needs', () => {
  let violations: string[];
  let landing: LandingPage;
  test.beforeEach(async ({ page }) => {
    violations = await watchViolations(page);
    landing = new LandingPage(page);
  });
  test.afterEach(() => expect(violations).toEqual([]));

  test('the policy blocks nothing on any page', async ({ page }) => {
    for (const path of [...everyPage, `/welcome/${encodeURIComponent('<img src=x onerror=alert(1)>')}`]) {
      await page.goto('about:blank');
      await page.goto(path, { waitUntil: 'load' });
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      expect(violations, path).toEqual([]);
    }
  });

  test('the policy blocks nothing in the menu, in questions and in a sign-up', async ({ page }) => {
    const address = makeAddress('policy');
    await page.goto('/support');
    await openTwoQuestions(page);
    await landing.open();
    await landing.menu.open();
    await landing.menu.close.click();
    await openTwoQuestions(page);
    await landing.waitlist.submit(address);
    await expect(landing.success).toBeVisible();
    await page.keyboard.press('Escape');
    await landing.expectCalls('welcome', 'entry');
    await expect.poll(() => landing.logs.join()).toContain('Waitlist entry saved:');
    expect(await readEntries(address)).toHaveLength(1);
  });

  test('the policy blocks nothing in a native sign-up, when the scripts fail to load', async ({ page }) => {
    await page.route(/\/_astro\/.*\.js/, (route) => route.abort());
    const address = makeAddress('native');
    await landing.open();
    await landing.hero.submit(address);
    await expect(page).toHaveURL('/#joined');
    await expect(landing.success).toBeVisible();
    expect(await readEntries(address)).toHaveLength(1);
  });

  test('the policy blocks nothing when a member unsubscribes', async ({ page }) => {
    const address = makeAddress('leaver');
    await landing.open();
    await landing.hero.submit(address);
    await expect(landing.success).toBeVisible();
    const [message] = await readMessages(address);
    const header = (message?.['headers'] as Record<string, string> | undefined)?.['List-Unsubscribe'];
    await page.goto(/<(http[^>]+)>/.exec(header ?? '')?.[1] ?? '');
    await page.getByRole('button', { name: readWords('leave').action, exact: true }).click();
    await expect(page).toHaveURL('/leave#left');
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the form reaches the function, and the function redirects back', async ({ page }) => {
    const landing = new LandingPage(page);
    await landing.open();
    await landing.hero.submit(makeAddress('scriptless'));
    await expect(page).toHaveURL('/#joined');
    await expect(landing.success).toBeVisible();
  });
});

test('the welcome page shows the email with its own styles, but without style attributes', async ({
  page,
}) => {
  await page.goto('/welcome');
  await expect(page.locator('[style]')).toHaveCount(0);
  const widths = await page
    .locator('main table')
    .evaluateAll((tables) => tables.map((table) => getComputedStyle(table).maxWidth));
  expect(widths).toContain('600px');
});

test.describe('the host', () => {
  for (const path of [
    '/',
    '/about',
    '/welcome/name',
    '/leave',
    '/share/about.png',
    '/nope',
    '/_astro/gone.js',
  ]) {
    test(`sends strict headers for ${path}, and makes browsers revalidate it on every visit`, async ({
      request,
    }) => {
      const headers = (await request.get(path)).headers();
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self' 'sha256-/),
        'strict-transport-security': 'max-age=63072000',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'public, max-age=0, must-revalidate',
      });
      expect(headers['content-security-policy']).not.toContain('unsafe');
    });
  }

  test('lets browsers cache every asset of a page for a year', async ({ request }) => {
    const html = await (await request.get('/')).text();
    const assets = new Set(html.match(/\/(_astro|pictures)\/[\w./-]+/g));
    expect(assets.size).toBeGreaterThan(3);
    for (const asset of assets) {
      const response = await request.get(asset);
      expect(response.status()).toBe(200);
      expect(response.headers()).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });
});

/** Opens two questions, the second one after the script has arrived. */
async function openTwoQuestions(page: Page): Promise<void> {
  const items = page.locator('details:has(.accordion-panel)');
  await items.nth(0).locator('summary').click();
  await items.nth(1).locator('summary').click();
  await expect(page.locator('details[open]')).toHaveCount(1);
  await expect(page.locator('astro-island:not([ssr]) details')).not.toHaveCount(0);
}
