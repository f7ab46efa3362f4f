import { expect, type Page } from '@playwright/test';
import { anchors, social } from '../../src/config/site.ts';
import { readWords } from '../words.ts';
import { viewports } from './every-page.ts';
import { type LandingPage, makeAddress, readEntries, readMessages, reply, test } from './landing-page.ts';

const refusals = readWords('refusals');

test.use({ viewport: viewports[0] });

test('an outcome says what went wrong, until a sign-up succeeds', async ({ page, landing }) => {
  await landing.fake({});
  await landing.open(`/${anchors.joined}`);
  await expect(page, 'a visitor who shares the address does not tell others that they joined').toHaveURL('/');
  await expectCleared(page, landing, anchors.joined);
  for (const [anchor, heading, words] of [
    [anchors.addressRefused, refusals.addressHeading, refusals.addressText],
    [anchors.notJoined, refusals.failedHeading, refusals.failedText],
    [anchors.tryLater, refusals.laterHeading, refusals.laterText],
    [anchors.closed, refusals.closedHeading, refusals.closedText],
  ] as const) {
    await landing.open(`/${anchor}`);
    const outcome = landing.section(heading);
    await expect(outcome).toBeInViewport();
    await expect(outcome.getByText(words, { exact: true })).toBeVisible();
    await expect(page.locator('.refusal:visible')).toHaveCount(1);
    await expectCleared(page, landing, anchor);
    await landing.open(`/${anchor}`);
    await outcome.getByRole('link', { name: refusals.action, exact: true }).click();
    await expect(outcome).toBeHidden();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  }
});

test('a visitor is told that sign-ups are closed, and the URL tells nobody', async ({ page, landing }) => {
  await landing.fake({ welcome: (route) => reply(route, 403, '{"error":{"code":"sign_ups_closed"}}') });
  await landing.open();
  await landing.hero.submit('visitor@example.org');
  await expect(landing.section(refusals.closedHeading)).toBeInViewport();
  await expect(page).toHaveURL('/');
  await landing.fake({}); // they are open again
  await expectCleared(page, landing, anchors.closed);
  await page.goBack();
  await expect(page).toHaveURL('about:blank');
});

/** Expects that a sign-up removes an outcome from the page and from its URL, and does not scroll. */
async function expectCleared(page: Page, { waitlist }: LandingPage, anchor: string): Promise<void> {
  await waitlist.field.scrollIntoViewIfNeeded();
  await waitlist.field.fill('visitor@example.org');
  await waitlist.field.press('Enter');
  await expect(page.locator(`${anchors.joined}[open]`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator(anchor)).toBeHidden();
  await expect(waitlist.field).toBeInViewport();
  await expect(page).toHaveURL(/^[^#]*$/);
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a wrong email is refused in plain words, and a right one joins', async ({ page, landing }) => {
    const email = makeAddress('plain');
    await landing.open();
    await landing.hero.field.evaluate((field) => field.removeAttribute('pattern'));
    await landing.hero.submit('a@localhost');
    await expect(landing.section(refusals.addressHeading)).toBeVisible();
    await landing.waitlist.submit(email);
    await expect(page).toHaveURL(/\/#joined$/);
    await expect(landing.success).toBeVisible();
    await expect(landing.success.locator('.pass'), 'which would have no address').toBeHidden();
    expect(await readMessages(email)).toHaveLength(1);
    expect(await readEntries(email)).toHaveLength(1);
    // The × would do nothing.
    const { action, back, close } = readWords('success');
    await expect(landing.success.locator(`a[href="${social.discord.link}"]`)).toHaveText(action);
    await expect(landing.success.getByRole('button', { name: close, exact: true })).toBeHidden();
    await page.setViewportSize({ width: 320, height: 256 });
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

test('a browser without <dialog> and @layer claims no early success', async ({ page }) => {
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
