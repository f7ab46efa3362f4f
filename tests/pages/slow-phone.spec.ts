import { expect, type Page } from '@playwright/test';
import { readWords } from '../words.ts';
import { holdScripts, makeAddress, readEntries, readMessages, reply, scripts, test } from './landing-page.ts';

const words = readWords('waitlistForm');

/** Records the text of the buttons of both forms, once for each change. */
async function watchButtons(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('form[method=post] button')];
    const seen: string[] = [];
    const look = () => {
      const state = buttons.map(({ textContent, disabled }) => `${textContent} ${disabled}`).join(' | ');
      if (seen.at(-1) !== state) seen.push(state);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { seen });
  });
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
}

test('no external script is fetched before a visitor touches a page, and then all scripts of a form at once', async ({
  page,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') fetched.push(request.url());
  });
  const { urls } = await holdScripts(page);
  for (const path of [
    '/about',
    '/support',
    '/terms-of-use',
    '/privacy-policy',
    '/welcome',
    '/unsubscribe',
    '/',
  ]) {
    await page.goto(path);
    await page.mouse.wheel(0, 2000);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect(fetched, path).toEqual([]);
  }
  await page.getByRole('textbox').first().focus();
  const island = page.locator('astro-island:has(form[method=post])').first();
  const needed = await island.evaluate((island) =>
    ['component-url', 'renderer-url', 'data-shared'].map((name) => island.getAttribute(name)!),
  );
  await expect.poll(() => urls.map((url) => new URL(url).pathname).sort()).toEqual(needed.sort());
});

test('a form sent with Enter, taps and by a program before any script has arrived says at once that it is sending and makes one sign-up, on the same page', async ({
  page,
  landing,
}) => {
  const { urls, release } = await holdScripts(page);
  const email = makeAddress('early');
  await landing.open();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  const readButtons = await watchButtons(page);
  await landing.hero.field.fill(email);
  await landing.hero.field.press('Enter');
  await landing.hero.button.click({ clickCount: 3, force: true });
  await landing.hero.root.evaluate((form: HTMLFormElement) => form.requestSubmit());
  await expect(landing.hero.button).toHaveText(words.sending);
  await expect(landing.hero.button).toBeDisabled();
  await expect.poll(() => urls).not.toEqual([]);
  // A frame has shown it.
  await expect.poll(readButtons).toHaveLength(2);
  expect(landing.calls).toEqual([]);
  release();
  await expect(landing.success).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await landing.expectCalls('welcome', 'entry');
  expect(await readMessages(email)).toHaveLength(1);
  expect(await readEntries(email)).toHaveLength(1);
  const idle = `${words.action} false`;
  await expect
    .poll(readButtons)
    .toEqual([`${idle} | ${idle}`, `${words.sending} true | ${idle}`, `${idle} | ${idle}`]);
});

test('a hydrated form needs no further script to sign up', async ({ page, landing }) => {
  const email = makeAddress('awake');
  await landing.open();
  await landing.hero.field.focus();
  await landing.expectAwake();
  await page.route(scripts, (route) => route.abort());
  const call = page.waitForRequest((request) => request.method() === 'POST');
  await landing.hero.submit(email);
  expect((await call).postDataJSON().html).toContain(email);
  await expect(landing.success).toBeVisible();
  expect(await readEntries(email)).toHaveLength(1);
});

test('the database client library loads during the email call', async ({ page, landing }) => {
  const answer = Promise.withResolvers<void>();
  await landing.fake({ welcome: async (route) => (await answer.promise, reply(route, 200, '{}')) });
  await landing.open();
  await landing.hero.field.fill('name@example.org');
  await landing.expectAwake();
  const library = page.waitForResponse(scripts);
  await landing.hero.button.click();
  await (await library).finished();
  await landing.expectCalls('welcome');
  answer.resolve();
  await expect(landing.success).toBeVisible();
  await landing.expectCalls('welcome', 'entry');
});

test('a held sign-up sends the email that the visitor corrects meanwhile, and is not sent again when its time limit ends', async ({
  page,
  landing,
}) => {
  await page.clock.install();
  const { release } = await holdScripts(page);
  const email = makeAddress('corrected');
  await landing.open();
  await landing.hero.submit(makeAddress('mistyped'));
  await landing.hero.field.fill(email);
  release();
  await expect(landing.success).toBeVisible();
  await landing.expectCalls('welcome', 'entry');
  expect(await readEntries(email)).toHaveLength(1);
  await page.keyboard.press('Escape');
  await landing.hero.field.fill('not-sent-yet@example.org');
  await page.clock.fastForward(60_000);
  await expect(landing.hero.button).toHaveText(words.action);
  expect(landing.calls).toEqual(['welcome', 'entry']);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the menu and the questions work', async ({ page, landing: { menu } }) => {
    await page.goto('/');
    await menu.open();
    await menu.close.click();
    await expect(menu.dialog).toBeHidden();
    const questions = page.locator('#faq details');
    await questions.nth(0).locator('summary').click();
    await expect(questions.nth(0).locator('.accordion-panel')).toBeVisible();
    await questions.nth(1).locator('summary').click();
    await expect(questions.nth(1).locator('.accordion-panel')).toBeVisible();
    await expect(questions.nth(0).locator('.accordion-panel')).toBeHidden();
  });
});

for (const [failure, answer] of [
  ['fail to load', undefined],
  ['are gone after a deployment', { status: 404, contentType: 'text/html', body: '<!doctype html>' }],
] as const) {
  test(`when the scripts ${failure}, the browser sends the form natively`, async ({ page, landing }) => {
    let requests = 0;
    await page.route(scripts, (route) => (requests++, answer ? route.fulfill(answer) : route.abort()));
    const email = makeAddress('broken');
    await landing.open();
    await landing.hero.submit(email);
    await expect(landing.success).toBeVisible();
    expect(requests).toBeGreaterThan(0);
    expect(await readEntries(email)).toHaveLength(1);
  });
}

test('a click on the menu before any script has arrived opens it, even in a browser that does not support the command attribute', async ({
  page,
  landing: { menu },
}) => {
  await page.addInitScript(() => delete (HTMLButtonElement.prototype as { command?: string }).command);
  const { urls, release } = await holdScripts(page);
  await page.goto('/');
  await menu.trigger.evaluate((button) => button.removeAttribute('commandfor'));
  await menu.trigger.click();
  await expect.poll(() => urls).not.toEqual([]);
  await expect(menu.dialog).toBeHidden();
  release();
  await expect(menu.dialog).toBeVisible();
});

for (const moment of ['while a submit is held', 'as it renders', 'before the submit'] as const) {
  test(`when the form's script breaks ${moment}, the native form comes back and is sent`, async ({
    page,
    landing,
  }) => {
    const broken = "export default () => { throw new Error('broken'); }";
    const gate = Promise.withResolvers<void>();
    await page.route(/WaitlistForm.*\.js/, async (route) => {
      await gate.promise;
      await route.fulfill({ contentType: 'text/javascript', body: broken });
    });
    const email = makeAddress('thrown');
    await landing.open();
    if (moment === 'while a submit is held') {
      await landing.hero.submit(email);
      await expect(landing.hero.button).toHaveText(words.sending);
      gate.resolve();
    } else {
      gate.resolve();
      // The click happens in the task in which hydration ends, or after the script has failed.
      await page.evaluate(
        ({ email, isInTask }) => {
          const island = document.querySelector('astro-island:has(form[method=post])')!;
          const field = island.querySelector<HTMLInputElement>('input[type=email]')!;
          const click = () => island.querySelector('button')?.click();
          if (isInTask) island.addEventListener('astro:hydrate', () => queueMicrotask(click));
          field.value = email;
          field.focus();
        },
        { email, isInTask: moment === 'as it renders' },
      );
      if (moment === 'before the submit') {
        await landing.expectAwake();
        await landing.hero.button.click();
      }
    }
    await expect(landing.success).toBeVisible();
    expect(await readEntries(email)).toHaveLength(1);
  });
}

test('when the scripts never arrive, a held form is finally sent natively', async ({ page, landing }) => {
  await page.clock.install();
  await holdScripts(page);
  const email = makeAddress('stalled');
  await landing.open();
  await landing.hero.submit(email);
  expect(landing.calls).toEqual([]);
  await page.clock.fastForward(15_000);
  await expect(landing.success).toBeVisible();
  expect(await readEntries(email)).toHaveLength(1);
});

test('a script that fails to load once is requested again', async ({ page, landing }) => {
  let failures = 0;
  await page.route(/WaitlistForm.*\.js/, (route) => (failures++ === 0 ? route.abort() : route.continue()));
  const email = makeAddress('retry');
  await landing.open();
  await landing.join(email);
  expect(failures).toBeGreaterThan(1);
  await landing.expectCalls('welcome', 'entry');
});
