import { expect, test } from '@playwright/test';
import { everyPage } from './every-page.ts';
import { LandingPage, reply } from './landing-page.ts';

for (const path of everyPage) {
  test(`${path} has a language, landmarks, one h1, and headings that skip no level`, async ({ page }) => {
    await page.goto(path);
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
  });
}

test('a form reads as field, button and consent, says politely that it sends, and is itself again', async ({
  page,
}) => {
  const landing = new LandingPage(page);
  const gate = Promise.withResolvers<void>();
  await landing.fake({ welcome: async (route) => (await gate.promise, reply(route, 200, '{}')) });
  await landing.open();
  const idle = `
    - text: E-mail address
    - textbox "E-mail address":
      - /placeholder: you@example.com
    - button "Join Waitlist"
    - status
    - paragraph:
      - text: /Signing up puts your address on the waitlist/
      - link "Privacy Policy":
        - /url: /privacy-policy
  `;
  await expect(landing.hero.root).toMatchAriaSnapshot(idle);
  await expect(landing.hero.field).toHaveAccessibleDescription(
    /^Signing up puts your address on the waitlist/,
  );
  await landing.hero.submit('visitor@example.org');
  await expect(landing.hero.root).toMatchAriaSnapshot(`
    - text: E-mail address
    - textbox "E-mail address": visitor@example.org
    - button "Joining..." [disabled]
    - status: Joining...
    - paragraph
  `);
  gate.resolve();
  await expect(landing.success).toMatchAriaSnapshot(`
    - dialog "You've successfully signed up to the waitlist!":
      - heading "You've successfully signed up to the waitlist!" [level=2]
      - paragraph: Join our Discord to start earning XP.
      - link "Join Discord"
      - button "Close"
  `);
  await page.keyboard.press('Escape');
  await expect(landing.hero.root).toMatchAriaSnapshot(idle);
});

test('the menu reads as a list of links under its heading', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "Menu":
      - heading "Menu" [level=2]
      - navigation "Menu":
        - list:
          - listitem:
            - link "How it works":
              - /url: "#features"
          - listitem:
            - link "About":
              - /url: /about
          - listitem:
            - link "Join Discord":
              - /url: /^https:/
          - listitem:
            - link "FAQ":
              - /url: "#faq"
      - button "Close the menu"
  `);
});
