import { expect, test } from '@playwright/test';

// Not in policy.spec.ts, which runs in every engine: each engine reports blocked requests in its own words, and not all
// prefetch.

test('the policy blocks an injected script, handler and style', async ({ page }) => {
  await page.addInitScript(() => {
    const blocked: string[] = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => blocked.push(effectiveDirective));
    Object.assign(window, { blocked });
  });
  await page.route('/about', async (route) => {
    const response = await route.fetch();
    const injected = [
      `<script>document.title = 'owned'</script>`,
      `<img src="/icon.svg" onload="document.title = 'owned'">`,
      `<p id="styled" style="color: rgb(1, 2, 3)">styled</p>`,
    ];
    const body = (await response.text()).replace('</main>', `${injected.join('')}</main>`);
    await route.fulfill({ response, body });
  });
  await page.goto('/about', { waitUntil: 'load' });
  const readBlocked = () => page.evaluate(() => (window as unknown as { blocked: string[] }).blocked);
  await expect
    .poll(readBlocked)
    .toEqual(expect.arrayContaining(['script-src-elem', 'script-src-attr', 'style-src-attr']));
  await expect(page).not.toHaveTitle('owned');
  await expect(page.locator('#styled')).not.toHaveCSS('color', 'rgb(1, 2, 3)');
});

test('a page is prefetched when its link is hovered, without a script', async ({ page }) => {
  const ahead: string[] = [];
  page.on('request', (request) => {
    if (request.headers()['sec-purpose'] === 'prefetch') ahead.push(new URL(request.url()).pathname);
  });
  const rules = page.waitForResponse('**/speculation-rules.json');
  await page.goto('/');
  // The page does not wait for them, and they apply only to a hover that begins later.
  await (await rules).finished();
  await page.getByRole('contentinfo').getByRole('link', { name: 'About', exact: true }).hover();
  await expect.poll(() => ahead).toEqual(['/about']);
});

test('the host sends strict headers with everything, and makes browsers revalidate it on every visit', async ({
  request,
}) => {
  for (const path of ['/', '/welcome/name', '/share/about.png', '/nope', '/_astro/gone.js']) {
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
    expect(headers['content-security-policy'], path).not.toContain('unsafe');
  }
});

test('the host lets browsers cache every asset of a page for a year', async ({ request }) => {
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
