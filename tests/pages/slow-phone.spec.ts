import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Locator, type Page } from '@playwright/test';
import { readWords } from '../words.ts';
import { holdScripts, makeAddress, readEntries, scripts, test, watchLandingPage } from './landing-page.ts';

const words = readWords('waitlistForm');

const viewport = { width: 360, height: 640 }; // of a cheap phone, without the bars of its browser
test.use({ viewport, hasTouch: true });

test('a tapped field moves above the keyboard', async ({ landing }) => {
  await landing.open();
  const { field } = landing.waitlist;
  await field.evaluate((one) => scrollBy(0, one.getBoundingClientRect().bottom - innerHeight));
  await field.tap();
  const { y, height } = (await field.boundingBox())!;
  expect(y + height, 'above the lower third').toBeLessThan((viewport.height * 2) / 3);
});

test('a form sent before any script says so, and makes one sign-up, with the corrected email', async ({
  page,
  landing,
}) => {
  await page.clock.install();
  const { urls, release } = await holdScripts(page);
  const email = makeAddress('corrected');
  await landing.open();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await landing.hero.field.fill(makeAddress('mistyped'));
  await landing.hero.field.press('Enter');
  await landing.hero.button.click({ clickCount: 3, force: true });
  await landing.hero.root.evaluate((form: HTMLFormElement) => form.requestSubmit());
  await expect(landing.hero.button).toHaveText(words.sending);
  await expect(landing.hero.button).toBeDisabled();
  await expect.poll(() => urls).not.toEqual([]);
  await expect(landing.waitlist.button).toHaveText(words.action);
  expect(landing.calls).toEqual([]);
  await landing.hero.field.fill(email);
  release();
  await expect(landing.success.locator('img')).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await landing.expectCalls('welcome', 'entry');
  expect(await readEntries(email)).toHaveLength(1);
  await page.keyboard.press('Escape');
  await landing.hero.field.fill('not-sent-yet@example.org');
  await page.clock.fastForward(60_000);
  await page.evaluate(() => dispatchEvent(new Event('pagehide')));
  await expect(landing.hero.button).toHaveText(words.action);
  expect(landing.calls).toEqual(['welcome', 'entry']);
});

test('without scripts, the menu opens even without command', async ({ page, landing: { menu } }) => {
  await page.addInitScript(() => delete (HTMLButtonElement.prototype as { command?: string }).command);
  await holdScripts(page);
  await page.goto('/');
  await menu.trigger.evaluate((button) => button.removeAttribute('commandfor'));
  await menu.open();
});

for (const way of ['is gone', 'breaks while a submit is held', 'breaks before the submit'] as const) {
  test(`when its script ${way}, the native form is sent`, async ({ page, landing }) => {
    const gate = Promise.withResolvers<void>();
    const email = makeAddress('thrown');
    await landing.open();
    const url = await landing.hero.root.evaluate((form) =>
      form.closest('astro-island')!.getAttribute('component-url'),
    );
    const broken = `
      export * from '${url}?whole';
      export { default } from '${url}?whole';
      export const WaitlistFormIsland = () => { throw new Error('broken'); };`;
    const answer = way === 'is gone' ? { status: 404 } : { contentType: 'text/javascript', body: broken };
    await page.route(way === 'is gone' ? scripts : `**${url}`, async (route) => {
      await gate.promise;
      await route.fulfill(answer);
    });
    if (way === 'breaks before the submit') {
      gate.resolve();
      await landing.hero.field.focus();
      await landing.expectAwake();
    }
    await landing.hero.submit(email);
    gate.resolve();
    await expect(landing.success).toBeVisible();
    expect(await readEntries(email)).toHaveLength(1);
  });
}

test('a held form is sent when the visitor leaves, or natively in the end', async ({ page, landing }) => {
  await page.clock.install();
  await holdScripts(page);
  const [gone, patient] = [makeAddress('gone'), makeAddress('patient')];
  await landing.open();
  await landing.hero.submit(gone);
  expect(landing.calls).toEqual([]);
  await page.reload();
  await expect.poll(() => readEntries(gone)).toHaveLength(1);
  await landing.hero.submit(patient);
  await page.clock.fastForward(15_000);
  await expect(landing.success).toBeVisible();
  expect(await readEntries(patient)).toHaveLength(1);
});

test('a visitor who leaves during the first call is on the list', async ({ browser, baseURL }) => {
  const gate = Promise.withResolvers<void>();
  let held = 0;
  // A proxy, because what a test intercepts ends with its page.
  const proxy = createServer(async (incoming, outgoing) => {
    const { url, method, headers } = incoming;
    if (method === 'OPTIONS') await (held++, gate.promise);
    const call = request(url!, { method, headers }, (answer) => {
      answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers));
    });
    incoming.pipe(call);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const server = `http://127.0.0.1:${port}`;
  const context = await browser.newContext({ baseURL, viewport, proxy: { server } });
  const ways: Record<string, (page: Page) => Promise<unknown>> = {
    close: (page) => page.close(),
    link: (page) => page.getByRole('link', { name: words.consentLink }).first().click(),
  };
  const addresses = Object.keys(ways).map((name) => makeAddress(name));
  for (const [index, leave] of Object.values(ways).entries()) {
    const page = await context.newPage();
    const landing = watchLandingPage(page);
    await landing.open();
    await landing.hero.submit(addresses[index]!);
    await expect.poll(() => held).toBe(index + 1);
    await leave(page);
  }
  gate.resolve();
  for (const address of addresses)
    await expect.poll(() => readEntries(address), { message: address }).toHaveLength(1);
  await context.close();
  proxy.close();
});

/** The signs that a visitor is about to use an island. Each alone has to be enough. */
const signs: Record<string, (field: Locator) => Promise<void>> = {
  'a pointer over it, so that its scripts are there before the click': (field) => field.hover(),
  'a press, in browsers that do not focus what is pressed': (field) => field.dispatchEvent('pointerdown'),
  'the focus': (field) => field.focus(),
  'a key, while it had the focus before its scripts were ready': (field) => field.dispatchEvent('keydown'),
  'a value that a program fills in': (field) => field.dispatchEvent('input'),
};

test('an island fetches its scripts at the first sign, in one trip', async ({ page, landing }) => {
  for (const [sign, show] of Object.entries(signs)) {
    const { urls, release } = await holdScripts(page);
    await landing.open();
    await page.mouse.wheel(0, 2000);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect(urls, sign).toEqual([]);
    await show(landing.hero.field);
    await expect.poll(() => urls, sign).not.toEqual([]);
    const first = [...urls];
    release();
    await landing.expectAwake();
    expect(urls, sign).toEqual(first);
  }
});
