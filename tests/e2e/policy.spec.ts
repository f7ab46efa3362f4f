import { expect } from '@playwright/test';
import { everyPage } from './every-page.ts';
import { test } from './violations.ts';

test('the policy blocks nothing on any page', async ({ page }) => {
  for (const path of everyPage) {
    await page.goto('about:blank');
    await page.goto(path, { waitUntil: 'load' });
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
  }
});

test('the welcome page shows the email with its own styles, but without style attributes', async ({
  page,
}) => {
  await page.goto('/welcome');
  await expect(page.locator('[style]')).toHaveCount(0);
  const widths = await page
    .locator('main table')
    .evaluateAll((tables) => tables.map((table) => getComputedStyle(table).maxWidth));
  expect(widths).toContain('600px');
});
