import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { readWords } from '../words.ts';
import { everyPage, settle, viewports } from './every-page.ts';
import { LandingPage, reply } from './landing-page.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** States of the pages, by name. Each function brings its page into that state. */
const states: Record<string, (page: Page) => Promise<void>> = {
  'the open menu': async (page) => {
    await page.goto('/');
    await new LandingPage(page).menu.open();
  },
  'an open question': (page) => openQuestion(page, '/'),
  'an open question of the support page': (page) => openQuestion(page, '/support'),
  'an open list of contents': async (page) => {
    await page.goto('/terms-of-use');
    const contents = page.locator('details.contents');
    await contents.evaluate((details: HTMLDetailsElement) => (details.open = true));
    await expect(contents.getByRole('link').first()).toBeVisible();
  },
  'the skip link': async (page) => {
    await page.goto('/');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  },
  'an email that the browser refuses': async (page) => {
    await page.goto('/');
    await new LandingPage(page).hero.submit('no address');
  },
  'a sign-up in progress': (page) => sendSlowly(page, new Promise(() => {})),
  'a new member': async (page) => {
    const gate = Promise.withResolvers<void>();
    await sendSlowly(page, gate.promise);
    gate.resolve();
    await expect(new LandingPage(page).success).toBeVisible();
  },
  'a member who joined without script': (page) => goToOutcome(page, '/#joined'),
  'a refused email': (page) => goToOutcome(page, '/#address-refused'),
  'a sign-up that did not go through': (page) => goToOutcome(page, '/#not-joined'),
  'a limited sign-up': (page) => goToOutcome(page, '/#try-later'),
};

// An unknown path shows the landing page.
for (const path of everyPage.filter((path) => path !== '/nope')) {
  test(`${path} has landmarks, an outline and no axe violation, wide or narrow, dark or light`, async ({
    page,
  }) => {
    await page.goto(path);
    await expectOutline(page);
    await expectNoViolation(page);
  });
}

for (const [name, show] of Object.entries(states)) {
  test(`${name} has no axe violation, wide or narrow, dark or light`, async ({ page }) => {
    await show(page);
    await expectNoViolation(page);
  });
}

test('the check finds a violation', async ({ page }) => {
  await page.goto('/about');
  await page
    .getByRole('main')
    .getByRole('paragraph')
    .last()
    .evaluate((paragraph) => {
      paragraph.style.cssText = 'color: #888; background: #777';
      paragraph.before(document.createElement('img'));
    });
  expect(await findViolations(page, 'dark')).toEqual([
    expect.stringMatching(/^color-contrast: /),
    expect.stringMatching(/^image-alt: /),
  ]);
  expect(await findViolations(page, 'light')).toEqual([expect.stringMatching(/^color-contrast: /)]);
});

/** Expects what axe does not insist on: the language, each landmark and the title once, and headings that skip no level. */
async function expectOutline(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
    await expect(page.getByRole(landmark)).toHaveCount(1);
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  const levels = await page
    .getByRole('heading')
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
  expect(levels[0]).toBe(1);
  levels.forEach((level, index) => expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1));
}

/** Checks the widest and the narrowest layout. Widths in between use the rules of one or the other. */
async function expectNoViolation(page: Page): Promise<void> {
  for (const viewport of [viewports[2], viewports[0]]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      expect(await findViolations(page, colorScheme), `${viewport.width} px, ${colorScheme}`).toEqual([]);
    }
  }
}

/**
 * Lists axe's violations, each with its rule and element. Axe cannot measure contrast on background images;
 * tests/unit/contrast.test.ts does that. The light scheme differs only in its colors.
 */
async function findViolations(page: Page, colorScheme: 'dark' | 'light'): Promise<string[]> {
  // The default mode opens a second page for frames, but our pages have no frames.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (colorScheme === 'dark') axe.withTags(tags);
  else axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

async function openQuestion(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('.accordion summary').first().click();
  await expect(page.locator('.accordion details[open]')).toHaveCount(1);
}

async function sendSlowly(page: Page, passed: Promise<void>): Promise<void> {
  const landing = new LandingPage(page);
  await landing.fake({ welcome: async (route) => (await passed, reply(route, 200, '{}')) });
  await landing.open();
  await landing.hero.submit('visitor@example.org');
  await expect(landing.hero.button).toHaveText(readWords('waitlistForm').sending);
}

async function goToOutcome(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator(':target')).toBeVisible();
}
