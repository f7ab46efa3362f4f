import { expect, test } from '@playwright/test';
import { anchors } from '../../src/site.ts';
import { LandingPage } from './landing-page.ts';

for (const anchor of [anchors.joined, anchors.addressRefused, anchors.notJoined, anchors.tryLater]) {
  test(`a successful sign-up clears the outcome ${anchor} of an earlier one without scrolling`, async ({
    page,
  }) => {
    const landing = new LandingPage(page);
    await landing.fake({});
    await landing.open(`/${anchor}`);
    const outcome = page.locator(anchor);
    await expect(outcome).toBeVisible();
    const { field } = landing.waitlist;
    await field.fill('visitor@example.org');
    await field.press('Enter');
    await expect(page.locator(`${anchors.joined}[open]`)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(outcome).toBeHidden();
    await expect(field).toBeInViewport();
    expect(page.url()).not.toContain('#');
  });
}

test('a sign-up keeps any other fragment of the URL', async ({ page }) => {
  const landing = new LandingPage(page);
  await landing.fake({});
  await landing.open(`/${anchors.faq}`);
  await landing.hero.submit('visitor@example.org');
  await expect(page.locator(`${anchors.joined}[open]`)).toBeVisible();
  expect(new URL(page.url()).hash).toBe(anchors.faq);
});
