import { expect, type Page } from '@playwright/test';
import { readWords } from '../words.ts';
import { unsubscribeWithToken } from './every-page.ts';
import { makeAddress, readEntries, readMessages, test } from './landing-page.ts';

const words = readWords('unsubscribe');
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
/** The only link of the page itself: a way on from its outcome. */
const way = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
const button = (page: Page) => page.getByRole('button', { name: words.action, exact: true });

test('a member unsubscribes with the link in the welcome email and one button', async ({ page, landing }) => {
  const address = makeAddress('leaver');
  await landing.open();
  await landing.join(address);
  const [message] = await readMessages(address);
  const header = (message?.['headers'] as Record<string, string> | undefined)?.['List-Unsubscribe'];
  await page.goto(/<(http[^>]+)>/.exec(header ?? '')?.[1] ?? '');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.heading);
  expect(await readEntries(address)).toHaveLength(1);
  await page.evaluate(() => (location.hash = '#main')); // as the link that skips to the content
  await button(page).click();
  await expect(heading(page, words.unsubscribedHeading)).toBeVisible();
  await expect(page.getByText(words.unsubscribedText, { exact: true })).toBeVisible();
  expect(await readEntries(address)).toEqual([]);
  await expect(way(page, words.home)).toHaveAttribute('href', '/');
});

test('an unknown token and a broken link are refused in plain words', async ({ page }) => {
  await page.goto(unsubscribeWithToken);
  await button(page).click();
  await expect(heading(page, words.notUnsubscribedHeading)).toBeVisible();
  await expect(page.getByText(words.notUnsubscribedText, { exact: true })).toBeVisible();
  await expect(way(page, words.help)).toHaveAttribute('href', '/support');
  await page.goto('/unsubscribe#%E0%A4%A');
  await expect(heading(page, words.linkHeading)).toBeVisible();
  await expect(page.getByText(words.linkText, { exact: true })).toBeVisible();
  await expect(way(page, words.help)).toHaveAttribute('href', '/support');
  await expect(page.getByRole('button')).toHaveCount(0);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the page explains the other way to unsubscribe, and shows no button', async ({ page }) => {
    await page.goto(unsubscribeWithToken);
    await expect(page.getByRole('main').locator('p:visible')).toHaveText([words.noScriptText]);
    await expect(page.locator('noscript'), 'not touching the heading').toHaveCSS('display', 'block');
    await expect(page.getByRole('button')).toHaveCount(0);
  });
});
