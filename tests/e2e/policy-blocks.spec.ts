import { expect, test } from '@playwright/test';
import { watchViolations } from './violations.ts';

// Not in policy.spec.ts, which runs in every engine: each engine reports blocked requests in its own words, and not all
// prefetch.

test.describe('what the site does not need', () => {
  test('the policy blocks an injected script, handler and style', async ({ page }) => {
    const violations = await watchViolations(page);
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
    for (const directive of ['script-src-elem', 'script-src-attr', 'style-src-attr']) {
      await expect.poll(() => violations.join()).toContain(`securitypolicyviolation ${directive}`);
    }
    await expect(page).not.toHaveTitle('owned');
    await expect(page.locator('#styled')).not.toHaveCSS('color', 'rgb(1, 2, 3)');
  });

  test('the policy blocks code that turns text into HTML, or creates a Trusted Types policy for that', async ({
    page,
  }) => {
    await page.goto('/');
    const attempt = () =>
      page.evaluate(() => {
        document.body.innerHTML = '<b>owned</b>';
      });
    await expect(attempt).rejects.toThrow(/TrustedHTML/);
    const makePolicy = () =>
      page.evaluate(() => {
        const { trustedTypes } = window as unknown as {
          trustedTypes: { createPolicy(name: string, rules: object): void };
        };
        trustedTypes.createPolicy('default', { createHTML: (text: string) => text });
      });
    await expect(makePolicy).rejects.toThrow(/disallowed/);
  });

  test('the policy blocks calls to other sites, and their pictures', async ({ page }) => {
    const asked: string[] = [];
    await page.route('https://elsewhere.example/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ body: 'here' });
    });
    await page.goto('/');
    const call = () => page.evaluate(() => fetch('https://elsewhere.example/call').then(() => 'reached'));
    await expect(call).rejects.toThrow('Failed to fetch');
    await page.evaluate(async () => {
      const picture = new Image();
      const failed = new Promise((resolve) => picture.addEventListener('error', resolve));
      picture.src = 'https://elsewhere.example/picture.png';
      await failed;
    });
    expect(asked).toEqual([]);
  });

  test('the policy stops another site from framing a page', async ({ page, baseURL }) => {
    await page.goto(`http://127.0.0.1:${process.env['TEST_INBOX_PORT']}/emails`);
    await page.evaluate(async (address) => {
      const frame = document.createElement('iframe');
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      frame.src = address;
      document.body.append(frame);
      await loaded;
    }, `${baseURL}/about`);
    // The test learns the URL of the frame a little after its load event.
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });
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
