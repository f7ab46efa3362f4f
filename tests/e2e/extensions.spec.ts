import { expect, type Page, test } from '@playwright/test';
import { holdScripts, LandingPage, makeAddress, readEntries } from './landing-page.ts';

// Password managers, writing aids and blockers put their own elements and attributes into forms.

const ways = ['beside and inside every element', 'around every element'] as const;

/** Puts foreign elements everywhere into the form, and foreign attributes on everything. */
function disturb(page: Page, way: (typeof ways)[number]): Promise<void> {
  return page.evaluate((isBeside) => {
    const make = (name: string) => {
      const element = document.createElement(name);
      element.dataset['foreign'] = '';
      return element;
    };
    const form = document.querySelector('form[method=post]')!;
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
  }, way === ways[0]);
}

for (const way of ways) {
  test(`foreign elements ${way} of a form, before its scripts arrive, keep what was typed and the held submit`, async ({
    page,
  }) => {
    const landing = new LandingPage(page);
    const address = makeAddress('disturbed');
    const { release } = await holdScripts(page);
    await landing.open();
    await disturb(page, way);
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    const { field } = landing.hero;
    const button = landing.hero.root.locator('button[type=submit]');
    await field.pressSequentially(address);
    await field.press('Enter');
    await expect(button).toBeDisabled();
    release();
    await expect(landing.success).toBeVisible();
    await expect(field).toHaveValue('');
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    expect(await readEntries(address)).toHaveLength(1);
    await landing.expectCalls('welcome', 'entry');
    expect(landing.logs.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test(`foreign elements ${way} of a form, while somebody types, keep the value, and the form signs up`, async ({
    page,
  }) => {
    const landing = new LandingPage(page);
    const address = makeAddress('disturbed');
    const { release } = await holdScripts(page);
    await landing.open();
    const { field } = landing.hero;
    await field.pressSequentially(address.slice(0, 10));
    await disturb(page, way);
    if (way === ways[0]) await expect(field).toBeFocused();
    else await field.press('End');
    release();
    await expect(page.locator('astro-island:not([ssr]) form[method=post]')).toHaveCount(1);
    await page.keyboard.type(address.slice(10));
    await expect(field).toHaveValue(address);
    await disturb(page, ways[0]);
    await field.press('Enter');
    await expect(landing.success).toBeVisible();
    expect(await readEntries(address)).toHaveLength(1);
    expect(landing.logs.filter((line) => line.startsWith('error'))).toEqual([]);
  });
}
