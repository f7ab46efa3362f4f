import { expect, test } from '@playwright/test';

test('about: vision, the way to the landing page, and the notice', async ({ page }) => {
  await page.goto('/about');
  await expect(page.getByRole('main')).toContainText('marketplace for original roleplay content');
  await expect(page.getByRole('main')).toContainText('not affiliated');
  await page.getByRole('link', { name: 'Get Started Today' }).click();
  await expect(page).toHaveURL('/');
});

test('support: channels, response times, questions and legal links', async ({ page }) => {
  await page.goto('/support');
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: '+1 (555) 555-0142' }).first()).toBeVisible();
  await expect(main.getByRole('link', { name: 'support@dropyard.example' }).first()).toBeVisible();
  await expect(main.getByRole('link', { name: 'Join the chat' })).toHaveAttribute(
    'href',
    /^https:\/\/discord/,
  );
  for (const words of ['24-48 hours', 'Real-time', 'business hours']) await expect(main).toContainText(words);
  await expect(main.getByRole('link', { name: 'Terms of Use' })).toHaveAttribute('href', '/terms-of-use');
  await expect(main.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy-policy');
  const open = main.locator('details[open]');
  await main.locator('summary').nth(0).click();
  await main.locator('summary').nth(2).click();
  await expect(open).toHaveCount(1);
  await main.locator('summary').nth(2).click();
  await expect(open).toHaveCount(0);
});

const legal = {
  '/terms-of-use': [
    'at least 18',
    '85%',
    'up to 90%',
    'optional Premium',
    'no hidden fees',
    'exclusive or licensed',
    'ZIP',
    'MP4',
    'PNG',
    'PDF',
    'RP-relevant and legal',
    'original custom content',
    '2-3 business days',
    'within 30 days',
  ],
  '/privacy-policy': [
    'at least 18',
    'within 30 days',
    'Supabase',
    'Resend',
    'e-mail address',
    'landing_page',
  ],
};

for (const [path, statements] of Object.entries(legal)) {
  test(`${path} is complete`, async ({ page }) => {
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main).toContainText('Last updated January 2025');
    for (const statement of statements) await expect(main).toContainText(statement);
  });
}

test('the independence notice is on every page', async ({ page }) => {
  for (const path of [
    '/',
    '/about',
    '/support',
    '/terms-of-use',
    '/privacy-policy',
    '/welcome',
    '/leave',
    '/nope',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('contentinfo')).toContainText(
      'not affiliated with, endorsed by or sponsored by',
    );
  }
});

test('pages call no third party, set no cookie and store nothing', async ({ page, context, baseURL }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '')) foreign.push(request.url());
  });
  for (const path of ['/', '/about', '/support', '/terms-of-use', '/privacy-policy', '/welcome', '/nope']) {
    await page.goto(path);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  }
  expect(foreign).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});
