import { expect, type Page, test } from '@playwright/test';
import { anchors, social } from '../../src/site.ts';
import { LandingPage } from './landing-page.ts';

const menu = (page: Page) => page.locator('header dialog');

async function openMenu(page: Page): Promise<void> {
  await page.locator('header button[command]').click();
  await expect(menu(page)).toBeVisible();
}

test.describe('where the scripts never arrive', () => {
  test.beforeEach(async ({ page }) => {
    await page.route(/\/_astro\/.*\.js/, () => {});
    await page.goto('/');
    await openMenu(page);
  });

  test('the menu closes on choosing a part of the page, and the page goes there', async ({ page }) => {
    await menu(page).locator(`a[href="${anchors.features}"]`).click();
    await expect(menu(page)).toBeHidden();
    await expect(page.locator(`${anchors.features} h2`)).toBeInViewport();
  });

  test('the menu closes on choosing Discord, which opens in a new tab', async ({ page, context }) => {
    await context.route(social.discord.link, (route) => route.fulfill({ body: 'Discord' }));
    const opened = context.waitForEvent('page');
    await menu(page).locator(`a[href="${social.discord.link}"]`).click();
    await (await opened).waitForURL(social.discord.link);
    await expect(menu(page)).toBeHidden();
  });
});

test('Discord opens from the success modal at once, though the script of the modal never arrives', async ({
  page,
  context,
}) => {
  const landing = new LandingPage(page);
  await landing.fake({});
  await landing.open();
  await page.route(/SuccessModal.*\.js/, () => {});
  await context.route(social.discord.link, (route) => route.fulfill({ body: 'Discord' }));
  await landing.hero.submit('visitor@example.org');
  const modal = page.locator(`${anchors.joined}[open]`);
  const opened = context.waitForEvent('page');
  await modal.locator(`a[href="${social.discord.link}"]`).click();
  await (await opened).waitForURL(social.discord.link);
  await expect(modal).toBeHidden();
});
