import { expect, type Page } from '@playwright/test';
import { functionUrl, holdScripts, makeAddress, readEntries, test } from './landing-page.ts';

// Password managers, writing aids and blockers put their own elements and attributes into forms.

/** Puts foreign elements everywhere into a form, and foreign attributes on everything. */
function disturb(page: Page, index: number, isBeside: boolean): Promise<void> {
  return page
    .locator('form[method=post]')
    .nth(index)
    .evaluate((form, isBeside) => {
      const make = (name: string) => {
        const element = document.createElement(name);
        element.dataset['foreign'] = '';
        return element;
      };
      const elements = [form, ...form.querySelectorAll('*')];
      for (const element of elements) {
        element.setAttribute('data-lastpass', '');
        element.setAttribute('fdprocessedid', 'x1');
        if (isBeside) {
          element.before(make('div'));
          element.after(make('com-1password-button'));
          if (!element.matches('input')) {
            element.prepend(make('span'));
            element.append(make('grammarly-extension'));
          }
        } else if (element !== form) {
          const wrapper = make('span');
          element.replaceWith(wrapper);
          wrapper.append(element);
        }
      }
      if (isBeside) {
        const button = make('button');
        button.setAttribute('type', 'button');
        form.prepend(button, make('input'));
      }
    }, isBeside);
}

for (const isBeside of [true, false]) {
  test(`foreign elements ${isBeside ? 'beside' : 'around'} ours lose nothing`, async ({ page, landing }) => {
    const { release } = await holdScripts(page);
    const gate = Promise.withResolvers<void>();
    await page.route(functionUrl, async (route) => {
      if (route.request().method() === 'POST') await gate.promise;
      await route.continue();
    });
    await landing.open();
    const [held, typed] = [makeAddress('held'), makeAddress('typed')];

    await disturb(page, 0, isBeside);
    await landing.hero.field.pressSequentially(held);
    await landing.hero.field.press('Enter');
    await expect(landing.hero.root.locator('button[type=submit]')).toBeDisabled();

    const { field } = landing.waitlist;
    await field.pressSequentially(typed.slice(0, 10));
    await disturb(page, 1, isBeside);
    release();
    await landing.expectAwake(2);
    await landing.expectCalls('welcome');
    // An element that gets another parent loses the focus by itself.
    if (isBeside) await expect(field).toBeFocused();
    await field.press('End');
    await page.keyboard.type(typed.slice(10));
    await expect(field).toHaveValue(typed);
    await disturb(page, 1, true);
    await field.press('Enter');

    gate.resolve();
    await expect(landing.success).toBeVisible();
    for (const form of [landing.hero, landing.waitlist]) await expect(form.field).toHaveValue('');
    for (const address of [held, typed]) expect(await readEntries(address)).toHaveLength(1);
    await expect.poll(() => landing.calls.toSorted()).toEqual(['entry', 'entry', 'welcome', 'welcome']);
    landing.expectNoError();
  });
}
