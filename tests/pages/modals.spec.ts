import { expect, type Locator } from '@playwright/test';
import { anchors, social } from '../../src/config/site.ts';
import { settle } from './every-page.ts';
import { holdScripts, test } from './landing-page.ts';
import { expectSeen } from './seen.ts';

test.use({ reducedMotion: 'no-preference' });

test('without scripts, menu and questions work', async ({ page, landing, context }) => {
  await holdScripts(page);
  await context.route(social.discord.link, (route) => route.fulfill({ body: 'Discord' }));
  await page.goto('/');
  await landing.menu.open();
  await landing.menu.close.click();
  await expect(landing.menu.dialog).toBeHidden();
  await landing.menu.open();
  await landing.menu.dialog.locator(`a[href="${anchors.features}"]`).click({ position: { x: 250, y: 20 } });
  await expect(landing.menu.dialog).toBeHidden();
  await expect(page.locator(`${anchors.features} h2`)).toBeInViewport();
  await landing.menu.open();
  const opened = context.waitForEvent('page');
  await landing.menu.dialog.locator(`a[href="${social.discord.link}"]`).click();
  const tab = await opened;
  await tab.waitForURL(social.discord.link);
  await tab.close();
  await expect(landing.menu.dialog).toBeHidden();
  for (const index of [0, 1]) {
    await page.locator('#faq summary').nth(index).click();
    await expect(page.locator('#faq details[open]')).toHaveCount(1);
    const answer = page.locator('#faq details[open] > [id]');
    await answer.evaluate((panel) => panel.scrollIntoView());
    await expectSeen(answer);
  }
});

test('without closedby, only a click outside closes a modal, and no drag', async ({ page, landing }) => {
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

test('on short screens, modals can be read and closed, and no header stays', async ({ page, landing }) => {
  await landing.fake({});
  await landing.open();
  for (const [width, height, size] of [
    [640, 320, 100],
    [320, 568, 200],
    [320, 256, 100], // 400 % zoom
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate((percent) => (document.documentElement.style.fontSize = `${percent}%`), size);
    expect((await page.getByRole('banner').boundingBox())!.height).toBeLessThan(height / 4);
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await expect(page.getByRole('banner')).not.toBeInViewport();
    for (const [modal, open] of [
      [landing.menu.dialog, () => landing.menu.trigger.press('Enter')],
      [landing.success, () => landing.hero.submit(`${'n'.repeat(64)}@example.org`)],
    ] as const) {
      const place = `${width} × ${height}, ${size} %`;
      await open();
      const heading = modal.getByRole('heading');
      await expect(heading).toBeFocused();
      // A long heading may be higher than the smallest screens.
      await expect(heading, place).toBeInViewport({ ratio: width > 320 ? 1 : 0.5 });
      const panel = modal.locator('.modal-panel');
      expect(await panel.evaluate((element) => element.scrollWidth - element.clientWidth), place).toBe(0);
      const close = modal.locator('.modal-close');
      // Reopened, the modal must not be where this leaves it.
      for (const part of [modal.getByRole('link').first(), modal.locator('.action')]) {
        if (width < 640 || modal === landing.success) await part.scrollIntoViewIfNeeded(); // an editor's words
        await expect(part, place).toBeInViewport({ ratio: 0.8 });
        await expect(close, place).toBeInViewport({ ratio: 1 });
      }
      await close.click();
      await expect(modal).toBeHidden();
    }
  }
});

test('a modal that something hides, such as a blocker, leaves the page in use', async ({ page, landing }) => {
  await landing.fake({});
  await landing.open();
  await landing.menu.trigger.hover();
  await expect(page.locator('header astro-island')).not.toHaveAttribute('ssr');
  await page.evaluate(() => document.styleSheets[0]!.insertRule('dialog { display: none !important }'));
  await landing.menu.trigger.click();
  await landing.hero.submit('name@example.org');
  await landing.expectCalls('welcome', 'entry');
  await landing.hero.submit('other@example.org');
  await landing.expectCalls('welcome', 'entry', 'welcome', 'entry');
});

test('a modal ignores what was meant for the page, for a moment', async ({ page, landing }) => {
  // A click or a key that a visitor meant for the page can arrive when a modal has just opened.
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
    delete (Element.prototype as Partial<Element>).checkVisibility; // as before Safari 17.4
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
