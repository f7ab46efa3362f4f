import { expect } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { readWords } from '../words.ts';
import { makeAddress, readEntries, readMessages, test } from './landing-page.ts';

const refusals = readWords('refusals');

test('a successful sign-up clears the outcome of an earlier one without scrolling', async ({
  page,
  landing,
}) => {
  await landing.fake({});
  for (const anchor of [anchors.joined, anchors.addressRefused, anchors.notJoined, anchors.tryLater]) {
    await landing.open(`/${anchor}`);
    const outcome = page.locator(anchor);
    await expect(outcome).toBeVisible();
    // A visitor who shares the address does not tell others that they joined.
    await expect(page).toHaveURL(anchor === anchors.joined ? '/' : `/${anchor}`);
    const { field } = landing.waitlist;
    await field.scrollIntoViewIfNeeded();
    await field.fill('visitor@example.org');
    await field.press('Enter');
    await expect(page.locator(`${anchors.joined}[open]`)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(outcome).toBeHidden();
    await expect(field).toBeInViewport();
    await expect(page).toHaveURL(/^[^#]*$/);
  }
  await landing.open(`/${anchors.faq}`);
  await landing.join();
  await expect(page, 'any other fragment stays').toHaveURL(`/${anchors.faq}`);
});

test('an outcome says what went wrong, and nothing else', async ({ page, landing }) => {
  for (const [anchor, heading, words] of [
    [anchors.addressRefused, refusals.addressHeading, refusals.addressText],
    [anchors.notJoined, refusals.failedHeading, refusals.failedText],
    [anchors.tryLater, refusals.laterHeading, refusals.laterText],
  ] as const) {
    await landing.open(`/${anchor}`);
    const outcome = landing.section(heading);
    await expect(outcome).toBeInViewport();
    await expect(outcome.getByText(words, { exact: true })).toBeVisible();
    await expect(page.locator('.refusal:visible')).toHaveCount(1);
    await outcome.getByRole('link', { name: refusals.action, exact: true }).click();
    await expect(outcome).toBeHidden();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('an email that only the browser accepts is refused in plain words, and with another one a visitor joins', async ({
    page,
    landing,
  }) => {
    const email = makeAddress('plain');
    await landing.open();
    await landing.hero.submit('a@localhost');
    await expect(landing.section(refusals.addressHeading)).toBeVisible();
    await landing.waitlist.submit(email);
    await expect(page).toHaveURL(/\/#joined$/);
    await expect(landing.success).toBeVisible();
    expect(await readMessages(email)).toHaveLength(1);
    expect(await readEntries(email)).toHaveLength(1);
    // The × would do nothing.
    const { back, close } = readWords('success');
    await expect(landing.success.getByRole('button', { name: close, exact: true })).toBeHidden();
    await landing.success.getByRole('link', { name: back, exact: true }).click();
    await expect(landing.success).toBeHidden();
  });
});

// docs/architecture.md lists the versions of these old browsers.

test('a browser without <dialog> confirms a sign-up that happened', async ({ page, landing }) => {
  await page.addInitScript(
    () => delete (HTMLDialogElement.prototype as Partial<HTMLDialogElement>).showModal,
  );
  const address = makeAddress('old');
  await landing.open();
  await expect(page.locator(anchors.joined)).toBeHidden();
  await landing.hero.submit(address);
  await expect(page.locator(anchors.joined)).toBeInViewport();
  await expect(page).toHaveURL('/');
  expect(await readEntries(address)).toHaveLength(1);
});

test('a browser that knows neither <dialog> nor @layer claims no success before a sign-up', async ({
  page,
}) => {
  await page.goto('/');
  const isHidden = await page.locator(anchors.joined).evaluate((dialog) => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    // Such a browser drops the layers, and has no rule of its own for a closed dialog.
    return rules.some(
      (rule) =>
        rule instanceof CSSStyleRule && dialog.matches(rule.selectorText) && rule.style.display === 'none',
    );
  });
  expect(isHidden).toBe(true);
});
