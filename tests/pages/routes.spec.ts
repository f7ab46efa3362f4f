import { expect, test } from '@playwright/test';
import { pages } from '../../src/config/site.ts';
import { readWords } from '../words.ts';

test('every page is the same with and without a trailing slash', async ({ request }) => {
  const seen = new Set<string>();
  const listed = Object.values(pages).map(({ link }) => link);
  const paths = ['/welcome', '/welcome/name', '/unsubscribe', ...listed];
  for (const path of paths) {
    const [without, withSlash] = [await request.get(path), await request.get(`${path}/`)];
    for (const response of [without, withSlash]) expect(response.status(), path).toBe(200);
    expect(await withSlash.text(), path).toBe(await without.text());
    seen.add(await without.text());
  }
  // All with a name are one page, which reads it from its path.
  expect(seen.size).toBe(paths.length - 1);
});

test('an unknown path shows the landing page, as a 404', async ({ page }) => {
  await page.goto('/');
  const landing = await page.locator('body').innerText();
  const shown = await page.goto('/nope');
  expect(await page.locator('body').innerText()).toBe(landing);
  for (const path of ['/nope', '/about/nope', '/welcome/one/two']) {
    const response = await page.request.get(path);
    expect([response.status(), await response.text()], path).toEqual([404, await shown?.text()]);
  }
  expect((await page.request.get('/_astro/gone.js')).status(), 'a missing asset').toBe(404);
});

test('every page opens at the top, links back, and leads to the form', async ({ page }) => {
  const { home, back } = readWords('header');
  await page.goto('/');
  for (const path of ['/about', '/support', '/terms-of-use', '/privacy-policy', '/welcome']) {
    if (path === '/welcome') await page.goto(path);
    else await page.getByRole('contentinfo').locator(`a[href="${path}"]`).click();
    await expect(page).toHaveURL(path);
    expect(await page.evaluate(() => scrollY), path).toBe(0);
    const logos = page.getByRole('link', { name: home });
    await expect(logos).not.toHaveCount(0);
    for (const logo of await logos.all()) await expect(logo).toHaveAttribute('href', '/');
    const join = page.getByRole('banner').locator('.join');
    if (path === '/welcome') await expect(join).toHaveCount(0);
    else await expect(join).toHaveAttribute('href', '/');
    await expect(page.getByRole('link', { name: back, exact: true })).toHaveAttribute('href', '/');
  }
});

test('the welcome page shows the email to a name, to nobody, or an error', async ({ page }) => {
  const { heading, member } = readWords('welcomeEmail');
  await page.goto('/welcome/name%40example.org/');
  await expect(page.getByText(`${member} name@example.org`, { exact: true })).toBeVisible();
  for (const link of await page.locator('#welcome a').all())
    await expect(link).toHaveAttribute('target', '_self');
  const name = `<img src=x onerror="document.title='owned'">{{unsubscribeAddress}}`;
  await page.goto(`/welcome/${encodeURIComponent(name)}`);
  await expect(page.getByText(name), 'a hostile name').toBeVisible();
  await expect(page.locator('img[src=x]')).toHaveCount(0);
  await expect(page).not.toHaveTitle('owned');
  await page.goto('/welcome');
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  await expect(page.getByText(member)).toBeHidden();
  await page.goto('/welcome/%E0%A4%A');
  await expect(page.getByRole('heading', { name: readWords('welcome').failure, exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('URI');
  await page.getByRole('alert').getByRole('link').click();
  await expect(page).toHaveURL('/');
});

test('the host sends strict headers with everything', async ({ request }) => {
  for (const path of ['/', '/welcome/name', '/share/about.png', '/mark.png', '/nope', '/_astro/gone.js']) {
    const headers = (await request.get(path)).headers();
    expect(headers, path).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self' 'sha256-/),
      'strict-transport-security': 'max-age=63072000',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'public, max-age=0, must-revalidate',
    });
  }
});
