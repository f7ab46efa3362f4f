import { expect } from '@playwright/test';
import { pages, placeholders, site, social } from '../../src/config/site.ts';
import { readItems, readWords } from '../words.ts';
import { test } from './landing-page.ts';

test('about has its headings, the notice, and a link to the landing page', async ({ page }) => {
  const { heading, action } = readWords('about');
  await page.goto('/about');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
  await expect(main).toContainText(site.independenceNotice);
  const stages = readWords('stages').heading;
  await expect(main.getByRole('heading', { level: 2, name: stages, exact: true })).toBeVisible();
  await main.getByRole('link', { name: action, exact: true }).click();
  await expect(page).toHaveURL('/');
});

test('the link to the form is short on a phone, and missing where members unsubscribe', async ({ page }) => {
  const link = page.getByRole('banner').locator('.join');
  await page.goto('/about');
  for (const [width, shown] of [
    [360, readWords('header').join],
    [1440, readWords('waitlistForm').action],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect(link.locator('span:visible')).toHaveText([shown]);
  }
  await page.goto('/unsubscribe');
  await expect(link).toHaveCount(0);
});

test('support has channels, response times, questions and legal links', async ({ page }) => {
  const words = readWords('support');
  await page.goto('/support');
  const main = page.getByRole('main');
  const channels = main.getByRole('region', { name: words.channelsHeading, exact: true });
  for (const [name, address] of [
    [placeholders.PUBLIC_SUPPORT_PHONE, /^tel:/],
    [placeholders.PUBLIC_SUPPORT_EMAIL, /^mailto:/],
    [words.chatLink, social.discord.link],
  ] as const) {
    await expect(channels.getByRole('link', { name, exact: true })).toHaveAttribute('href', address);
  }
  await expect(channels.getByRole('link', { name: words.chatLink, exact: true })).toHaveAttribute(
    'target',
    '_blank',
  );
  const { PUBLIC_SUPPORT_EMAIL, PUBLIC_SUPPORT_PHONE } = placeholders;
  await expect(channels.locator('dl > div')).toHaveText(
    [
      `${words.emailLabel} ${PUBLIC_SUPPORT_EMAIL} ${words.emailTime}`,
      `${words.chatLabel} ${words.chatLink} ${words.chatTime}`,
      `${words.phoneLabel} ${PUBLIC_SUPPORT_PHONE} ${words.phoneTime}`,
    ],
    { useInnerText: true },
  );
  await expect(main.getByText(words.legal)).toBeVisible();
  for (const { label, link } of [pages.terms, pages.privacy]) {
    await expect(main.getByRole('link', { name: label, exact: true })).toHaveAttribute('href', link);
  }
  const questions = readItems('supportFaq').map(({ question }) => question);
  await expect(main.locator('summary')).toHaveText(questions);
});

for (const [path, name] of [
  ['/terms-of-use', 'termsOfUse'],
  ['/privacy-policy', 'privacyPolicy'],
] as const) {
  test(`${path} has a title, a date, and a table of contents that links to every heading`, async ({
    page,
  }) => {
    const { title, updated, contents } = readWords(name);
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect(main).toContainText(updated);
    await expect(main.locator('.always-open')).toHaveText(contents);
    // A heading links to itself, so that visitors can share its place.
    for (const id of await main.locator('article h2 [id]').evaluateAll((all) => all.map((one) => one.id))) {
      await expect(main.locator(`article a[href="#${id}"]`)).not.toHaveCount(0);
    }
    const links = main.locator('.contents a');
    await expect(links).toHaveText(await main.locator('article').getByRole('heading').allTextContents());
    for (const link of await links.all()) {
      await link.click();
      await expect(page.locator(':target')).toBeInViewport();
    }
  });
}
