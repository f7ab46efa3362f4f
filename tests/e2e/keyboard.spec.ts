import { expect, type Page, test } from '@playwright/test';
import { footerSocial, pages } from '../../src/site.ts';
import { readItems, readWords } from '../words.ts';
import { viewports } from './every-page.ts';
import { LandingPage, reply } from './landing-page.ts';

const [phone, , desktop] = viewports;

test.use({ reducedMotion: 'reduce' });

const { label, action, consentLink } = readWords('waitlistForm');
const form = [label, action, consentLink];
const navigation = readWords('navigation');
const success = readWords('success');
const hero = readWords('hero');
const labels = (links: { label: string }[]) => links.map(({ label }) => label);
const social = labels(footerSocial);
const footer = [/, home$/, /^\+/, /@/, ...labels(Object.values(pages)), ...social];

test('Tab walks the landing page from top to bottom', async ({ page }) => {
  await page.goto('/');
  const order = [
    'Skip to the content',
    ...[/, home$/, pages.about.label, navigation.discord, navigation.faq, navigation.open],
    ...form,
    hero.scroll,
    ...form,
    readWords('banner').action,
    // The checked choice of each group of the payout slip.
    ...['$9', '50'],
    ...readItems('faq').map(({ question }) => question),
    readWords('community').action,
    readWords('community').formAction,
    ...footer,
  ];
  for (const name of order) {
    await page.keyboard.press('Tab');
    await expect(page.locator(':focus')).toHaveAccessibleName(name);
  }
  await page.keyboard.press('Shift+Tab');
  await expect(page.locator(':focus')).toHaveAccessibleName(social.at(-2)!);
});

for (const viewport of [phone, desktop]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport });

    for (const path of ['/', '/support', '/terms-of-use', '/welcome', '/leave#abc.def']) {
      test(`the focus is seen at every stop of ${path}`, async ({ page }) => {
        await page.goto(path);
        let stops = 0;
        for (;;) {
          await page.keyboard.press('Tab');
          if (await page.evaluate(() => document.activeElement === document.body)) break;
          await expectFocusSeen(page);
          stops++;
        }
        expect(stops).toBeGreaterThan(10);
      });
    }

    test('the focus is seen at every stop of both modals', async ({ page }) => {
      const landing = new LandingPage(page);
      await landing.fake({});
      await landing.open();
      const { features, discord, faq, close } = navigation;
      await landing.menu.trigger.press('Enter');
      for (const name of [features, pages.about.label, discord, faq, close]) {
        await expect(page.locator(':focus')).toHaveAccessibleName(name);
        await expectFocusSeen(page);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Escape');
      await landing.hero.submit('visitor@example.org');
      await expect(landing.success).toBeVisible();
      for (const name of [success.action, success.close]) {
        await page.keyboard.press('Tab');
        await page.keyboard.press('Shift+Tab');
        await expect(page.locator(':focus')).toHaveAccessibleName(name);
        await expectFocusSeen(page);
        await page.keyboard.press('Tab');
      }
    });
  });
}

test('the first stop leads around the header, and goes on behind it', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(new LandingPage(page).hero.field).toBeFocused();
});

test('the menu opens, is walked through, and gives the focus back', async ({ page }) => {
  await page.goto('/');
  const { menu } = new LandingPage(page);
  const { trigger, dialog } = menu;
  for (const key of ['Enter', ' ']) {
    await trigger.press(key);
    await expect(menu.link(navigation.features)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(menu.link(pages.about.label)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(trigger).toBeFocused();
  }
  await trigger.press('Enter');
  await menu.close.press('Enter');
  await expect(trigger).toBeFocused();
  await trigger.press('Enter');
  await menu.link(navigation.faq).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/#faq$/);
});

for (const place of ['field', 'button'] as const) {
  test(`a sign-up from the ${place} keeps the focus in the form, leads it into the modal and back`, async ({
    page,
  }) => {
    const landing = new LandingPage(page);
    const gate = Promise.withResolvers<void>();
    await landing.fake({ welcome: async (route) => (await gate.promise, reply(route, 200, '{}')) });
    await landing.open();
    await landing.hero.field.fill('visitor@example.org');
    await landing.hero[place].press('Enter');
    await expect(landing.hero.button).toBeDisabled();
    await expect(place === 'field' ? landing.hero.field : landing.hero.root).toBeFocused();
    gate.resolve();
    await expect(landing.success.getByRole('link', { name: success.action, exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(landing.hero[place]).toBeFocused();
  });
}

test('a sign-up that fails leaves the focus at the button', async ({ page }) => {
  const landing = new LandingPage(page);
  await landing.fake({ welcome: (route) => reply(route, 503, '{}') });
  await landing.open();
  await landing.hero.field.fill('visitor@example.org');
  await landing.hero.button.press('Enter');
  await expect.poll(() => landing.logs.join()).toContain('not sent');
  await expect(landing.hero.button).toBeFocused();
});

test('arrow and questions answer to the keyboard', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: hero.scroll, exact: true }).press('Enter');
  await expect(page.locator('#features')).toBeInViewport();
  const questions = page.locator('#faq summary');
  for (const [index, key] of ['Enter', ' '].entries()) {
    await questions.nth(index).press(key);
    await expect(page.locator('#faq details[open] summary')).toBeFocused();
    await expect(page.locator('#faq details').nth(index)).toHaveAttribute('open', '');
  }
  await questions.nth(1).press(' ');
  await expect(page.locator('#faq details[open]')).toHaveCount(0);
  await expect(questions.nth(1)).toBeFocused();
});

/** The outline changes what is on the screen, and nothing lies over what has the focus. */
async function expectFocusSeen(page: Page): Promise<void> {
  const focused = page.locator(':focus');
  const name = await focused.evaluate((element) => element.outerHTML.slice(0, 120));
  const isInFront = await focused.evaluate((element) => {
    const { left, top, width, height } = element.getClientRects()[0]!;
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return Boolean(hit && (element.contains(hit) || hit.contains(element)));
  });
  expect(isInFront, name).toBe(true);
  const { x, y, width, height } = (await focused.boundingBox())!;
  const clip = { x: Math.max(0, x - 8), y: Math.max(0, y - 8), width: width + 16, height: height + 16 };
  const withOutline = await page.screenshot({ clip });
  await focused.evaluate((element: HTMLElement) => (element.style.outlineColor = 'transparent'));
  const without = await page.screenshot({ clip });
  await focused.evaluate((element: HTMLElement) => (element.style.outlineColor = ''));
  expect(withOutline.equals(without), name).toBe(false);
}
