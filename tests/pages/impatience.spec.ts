import { expect, type Locator } from '@playwright/test';
import { test } from './landing-page.ts';

// A click or a key that a visitor meant for the page can arrive when a modal has just opened.
test.use({ reducedMotion: 'no-preference' });

test('a modal ignores what was meant for the page, for a moment', async ({ page, landing }) => {
  await landing.fake({});
  await landing.open();
  // Time passes for it only as the test says, however busy the machine is.
  await page.evaluate(() => {
    const setCalm = (currentTime: number) => {
      for (const form of document.querySelectorAll('.modal form'))
        for (const one of form.getAnimations({ subtree: true })) one.currentTime = currentTime;
    };
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...options) {
      const animation = animate.apply(this, options);
      animation.pause();
      return animation;
    };
    document.styleSheets[0]!.insertRule('form::after { animation-play-state: paused !important }');
    Object.assign(window, { setCalm });
  });
  const { hero, waitlist, menu, success } = landing;
  const cases: [name: string, modal: Locator, control: Locator, key?: string][] = [
    ['a click on ☰', menu.dialog, menu.trigger],
    ['a click on the first button', success, hero.button],
    ['Enter in the second field', success, waitlist.field, 'Enter'],
    ['a click on the first button without animations', success, hero.button],
  ];
  for (const [name, modal, control, key] of cases) {
    // As with a style of the visitor's own.
    if (name.endsWith('without animations'))
      await page.evaluate(() =>
        document.styleSheets[0]!.insertRule('form::after { animation: none !important }'),
      );
    for (const form of [hero, waitlist]) await form.field.fill('visitor@example.org');
    await control.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await control.boundingBox())!;
    const repeat = () => (key ? page.keyboard.press(key) : page.mouse.click(x + width / 2, y + height / 2));
    if (key) await control.focus();
    const url = page.url();
    await repeat();
    await expect(modal).toBeVisible();
    for (const afterOpening of [0, 690]) {
      await page.evaluate(`setCalm(${afterOpening})`);
      await repeat();
      for (const part of [modal.getByRole('link').last(), modal.locator('.modal-close')]) {
        const box = (await part.boundingBox())!;
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      }
      await page.mouse.click(2, 300);
      await expect(modal, name).toHaveAttribute('open');
    }
    expect(page.url(), name).toBe(url);
    expect(page.context().pages(), name).toHaveLength(1);
    await modal.evaluate((dialog) => dialog.getAnimations({ subtree: true }).forEach((one) => one.finish()));
    await page.mouse.click(2, 300);
    await expect(modal, name).toBeHidden();
  }
});
