import { expect, test } from '@playwright/test';
import { LandingPage, makeAddress, readEntries, readMessages } from './landing-page.ts';

test('a member leaves by the link of the welcome e-mail and one button', async ({ page }) => {
  const landing = new LandingPage(page);
  const address = makeAddress('leaver');
  await landing.open();
  await landing.hero.submit(address);
  await expect(landing.success).toBeVisible();
  const [message] = await readMessages(address);
  const header = (message?.['headers'] as unknown as Record<string, string>)['List-Unsubscribe'];
  await page.goto(/<(http[^>]+)>/.exec(header ?? '')?.[1] ?? '');
  await expect(page.getByRole('heading', { name: 'Leave the waitlist' })).toBeVisible();
  expect(await readEntries(address)).toHaveLength(1);
  await page.getByRole('button', { name: 'Take me off the list' }).click();
  await expect(page.getByRole('heading', { name: 'You are off the list' })).toBeVisible();
  expect(await readEntries(address)).toEqual([]);
});

test('a token that is nobody’s gets plain words', async ({ page }) => {
  await page.goto('/leave#abc.def');
  await page.getByRole('button', { name: 'Take me off the list' }).click();
  await expect(page.getByRole('heading', { name: 'That did not work' })).toBeVisible();
});

test('without a link the page says where to find it, and search engines do not file it', async ({ page }) => {
  await page.goto('/leave');
  await expect(
    page.getByRole('heading', { name: 'This page needs the link from your message' }),
  ).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the page names the other way to leave, and asks for nothing that cannot work', async ({ page }) => {
    await page.goto('/leave#abc.def');
    await expect(page.getByRole('main').locator('p:visible')).toHaveText([/Unsubscribe link at the end/]);
    await expect(page.getByRole('button')).toHaveCount(0);
  });
});
