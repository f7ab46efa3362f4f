import { expect } from '@playwright/test';
import { pages, placeholders, site, social } from '../../src/config/site.ts';
import { readItems, readWords } from '../words.ts';
import { findFaults } from './faults.ts';
import { test } from './landing-page.ts';

test('about has its headings, the notice, and links to the landing page and its form', async ({ page }) => {
  const { heading, action } = readWords('about');
  await page.goto('/about');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
  await expect(main).toContainText(site.independenceNotice);
  await expect(main.getByText(readWords('stages').heading, { exact: true })).toBeVisible();
  await expect(page.locator('.threshold img'), 'not cut off').toBeInViewport({ ratio: 1 });
  await main.getByRole('link', { name: action, exact: true }).click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await main.locator('.stages').getByRole('link').first().click();
  await expect.poll(async () => (await page.locator('input:target').boundingBox())!.y).toBeGreaterThan(200);
});

test('support has channels, response times, legal links and questions, also on paper', async ({ page }) => {
  const words = readWords('support');
  await page.goto('/support');
  const main = page.getByRole('main');
  const channels = main.getByRole('region', { name: words.channelsHeading, exact: true });
  const { PUBLIC_SUPPORT_EMAIL: email, PUBLIC_SUPPORT_PHONE: phone } = placeholders;
  await expect(channels.locator('[href^="mailto:"], [href^="tel:"]')).toHaveText([email, phone]);
  const chat = channels.getByRole('link', { name: words.chatLink, exact: true });
  await expect(chat).toHaveAttribute('href', social.discord.link);
  await expect(chat).toHaveAttribute('target', '_blank');
  await expect(channels.locator('dl > div')).toHaveText(
    [
      `${words.emailLabel} ${email} ${words.emailTime}`,
      `${words.chatLabel} ${words.chatLink} ${words.chatTime}`,
      `${words.phoneLabel} ${phone} ${words.phoneTime}`,
    ],
    { useInnerText: true },
  );
  await expect(main.getByText(words.legal)).toBeVisible();
  for (const { label, link } of [pages.terms, pages.privacy]) {
    await expect(main.getByRole('link', { name: label, exact: true })).toHaveAttribute('href', link);
  }
  const questions = readItems('supportFaq').map(({ question }) => question);
  await expect(main.locator('summary')).toHaveText(questions);
  await page.emulateMedia({ media: 'print' });
  for (const answer of await main.locator('details > [id]').all()) await expect(answer).toBeVisible();
  expect(await findFaults(page), 'printed').toEqual([]);
  const colors = page.locator('body *').evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
  expect(new Set(await colors)).toEqual(new Set(['rgb(0, 0, 0)']));
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
});

for (const [path, name] of [
  ['/terms-of-use', 'termsOfUse'],
  ['/privacy-policy', 'privacyPolicy'],
] as const) {
  test(`${path} has a title, a date, and headings that links can lead to`, async ({ page }) => {
    const { title, updatedLabel, updated } = readWords(name);
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect(main).toContainText(`${updatedLabel} ${updated}`);
    const sides = (part: string) =>
      main.locator(`article > ${part}`).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
    expect(new Set(await sides(':not(h2)')).size, 'all texts are beside the headings').toBe(1);
    expect((await sides('p'))[0]).toBeGreaterThan((await sides('h2'))[0]!);
    const last = main.locator('article').getByRole('heading').last();
    await page.goto(`${path}#${await last.locator('[id]').getAttribute('id')}`);
    await expect(last).toBeInViewport();
  });
}
