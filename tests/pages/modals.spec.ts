import { expect } from '@playwright/test';
import { anchors, social } from '../../src/config/site.ts';
import { settle } from './every-page.ts';
import { scripts, test } from './landing-page.ts';

test('where the scripts never arrive, × and every link close the menu, and the links lead where they should', async ({
  page,
  landing,
  context,
}) => {
  const requested: string[] = [];
  await page.route(scripts, (route) => void requested.push(route.request().url()));
  await context.route(social.discord.link, (route) => route.fulfill({ body: 'Discord' }));
  await page.goto('/');
  await landing.menu.open();
  await landing.menu.close.click();
  await expect(landing.menu.dialog).toBeHidden();
  await landing.menu.open();
  await landing.menu.dialog.locator(`a[href="${anchors.features}"]`).click();
  await expect(landing.menu.dialog).toBeHidden();
  await expect(page.locator(`${anchors.features} h2`)).toBeInViewport();
  await landing.menu.open();
  const opened = context.waitForEvent('page');
  await landing.menu.dialog.locator(`a[href="${social.discord.link}"]`).click();
  await (await opened).waitForURL(social.discord.link);
  await expect(landing.menu.dialog).toBeHidden();
  await expect.poll(() => requested).not.toEqual([]);
});

test('a modal does not move while it closes', async ({ page, landing }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  await landing.menu.open();
  const [open, closing] = await landing.menu.dialog.evaluate(async (dialog: HTMLDialogElement) => {
    await Promise.all(dialog.getAnimations().map(({ finished }) => finished));
    const before = dialog.getBoundingClientRect().toJSON();
    dialog.close();
    await new Promise(requestAnimationFrame);
    return [before, dialog.checkVisibility() ? dialog.getBoundingClientRect().toJSON() : before];
  });
  expect(closing).toEqual(open);
});

test('in a browser without closedby, a click outside closes a modal, and neither one on its frame nor a drag does', async ({
  page,
  landing,
}) => {
  await page.addInitScript(() => delete (HTMLDialogElement.prototype as { closedBy?: string }).closedBy);
  await page.goto('/');
  await landing.menu.open();
  await expect(page.locator('header astro-island')).not.toHaveAttribute('ssr');
  await landing.menu.dialog.evaluate((dialog) => {
    dialog.removeAttribute('closedby');
  });
  await settle(page);
  const edge = (await landing.menu.dialog.boundingBox())!;
  await page.mouse.click(edge.x + 20, edge.y + 10);
  // A closing modal stays visible for a moment, but loses the attribute at once.
  await expect(landing.menu.dialog).toHaveAttribute('open');
  for (const inward of [20, -20]) {
    await page.mouse.move(edge.x + inward, edge.y + 60);
    await page.mouse.down();
    await page.mouse.move(edge.x - inward, edge.y + 60);
    await page.mouse.up();
    await expect(landing.menu.dialog).toHaveAttribute('open');
  }
  await page.mouse.click(edge.x - 20, edge.y + 40);
  await expect(landing.menu.dialog).toBeHidden();
});

test('both modals can be read to the end, and × stays in reach, with large letters and on short screens', async ({
  page,
  landing,
}) => {
  await landing.fake({});
  await landing.open();
  for (const [modal, open] of [
    [landing.menu.dialog, () => landing.menu.open()],
    [landing.success, () => landing.hero.submit('name@example.org')],
  ] as const) {
    await open();
    for (const [width, height, size] of [
      [320, 568, 200],
      [568, 320, 100],
      // A window of 1280 × 1024 px at 400 % zoom.
      [320, 256, 100],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate((percent) => (document.documentElement.style.fontSize = `${percent}%`), size);
      const panel = modal.locator('.modal-panel');
      expect(await panel.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      for (const part of [
        modal.getByRole('heading'),
        modal.getByRole('link').first(),
        modal.locator('.action'),
      ]) {
        await part.scrollIntoViewIfNeeded();
        // A long heading may be higher than the screen.
        await expect(part).toBeInViewport({ ratio: 0.8 });
        await expect(modal.locator('.modal-close')).toBeInViewport({ ratio: 1 });
      }
    }
    await modal.locator('.modal-close').click();
    await expect(modal).toBeHidden();
  }
});
