import { expect, type Page } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { readWords } from '../words.ts';
import { addContrast } from './contrast.ts';
import { everyPage, openQuestions, viewports } from './every-page.ts';
import { findFaults } from './faults.ts';
import { test } from './landing-page.ts';
import { expectSeen } from './seen.ts';

test('every page is whole at 400 % zoom and with large text, and has edges in forced colors', async ({
  page,
  landing,
}) => {
  test.slow();
  await addContrast(page);
  const readEdge = (option: string) =>
    page
      .locator(`[type=radio]${option}`)
      .first()
      .evaluate((input) => parseFloat(getComputedStyle(input).borderWidth));
  const findPale = (icons: Element[]) =>
    icons
      .map((icon) => {
        const style = getComputedStyle(icon);
        // The icons of networks are files, in the color of paper.
        return measureContrast(icon.matches('img') ? style.getPropertyValue('--paper') : style.stroke, icon);
      })
      .filter((contrast) => contrast < 3);
  for (const path of [`/${anchors.notJoined}`, ...everyPage, `/${anchors.joined}`]) {
    // The success modal covers the page.
    const part = path.endsWith(anchors.joined) ? anchors.joined : 'body';
    await page.setViewportSize({ width: 3840, height: 2000 });
    await page.goto(path);
    expect(await findBrokenWords(page), path).toEqual([]);
    await page.setViewportSize({ width: 320, height: 256 }); // 1280 × 1024 px at 400 % zoom
    expect(await findFaults(page, part), path).toEqual([]);
    expect(await findBrokenWords(page), path).toEqual([]);
    for (const viewport of [{ width: 320, height: 568 }, ...viewports.slice(1)]) {
      await page.setViewportSize(viewport);
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      expect(await findFaults(page, part), `${path} at ${viewport.width} px`).toEqual([]);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    if (path === '/') {
      expect(await readEdge(':checked')).toBeGreaterThan(2 * (await readEdge(':not(:checked)')));
      await expect(page.getByRole('banner'), 'not transparent').toHaveCSS('background-color', /^rgb\(/);
      await openQuestions(page);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        const pale = await page.locator('.accordion-arrow, .icon img').evaluateAll(findPale);
        expect(pale, colorScheme).toEqual([]);
      }
      await landing.menu.open();
    }
    expect(await findEdgeless(page), path).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
  }
});

test('with large text in the settings of a browser, words are large, a page is whole, and no header stays', async ({
  page,
  landing,
}) => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await page.setViewportSize(viewports[0]);
  await landing.open();
  const readSizes = (all: Element[]) => all.map((one) => parseFloat(getComputedStyle(one).fontSize));
  const sizes = await page.locator('p:not(.stamp), dd, label, summary').evaluateAll(readSizes);
  expect(Math.min(...sizes), 'of 32 px').toBeGreaterThan(24);
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(page.getByRole('banner')).not.toBeInViewport();
  await browser.detach();
});

/** Lists words in links and titles that go on in the next line, although they need less than a quarter of the screen. */
function findBrokenWords(page: Page): Promise<string[]> {
  return page.locator('a, h1, h1 b').evaluateAll((all) =>
    all.flatMap(({ firstChild: node }) => {
      if (!(node instanceof Text)) return [];
      const words = node.data.matchAll(/(?<!\S)\p{Script=Latin}+(?!\S)/gu).filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const pieces = [...range.getClientRects()];
        const length = pieces.reduce((sum, { width }) => sum + width, 0);
        return pieces.length > 1 && length < innerWidth / 4;
      });
      return [...words].map(([word]) => word);
    }),
  );
}

test('with motion, shutters are up where they are read', async ({ page, landing }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await landing.open();
  for (const opening of await page.locator('.shutter').all()) {
    const measure = async (reducedMotion: 'reduce' | 'no-preference') => {
      await page.emulateMedia({ reducedMotion });
      return opening.evaluate(async (element) => {
        (element.querySelector('strong') ?? element).scrollIntoView({ block: 'end', behavior: 'instant' });
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const place = (part: string) => new DOMMatrix(getComputedStyle(element, part).transform).f;
        return ['', '::before'].map((part) => Math.round(place(part)));
      });
    };
    expect(await measure('no-preference')).toEqual(await measure('reduce'));
  }
  await expectSeen(page.getByRole('banner').locator('.join'));
});

test('on a phone with an older Safari, a search in the page finds all words', async ({ page, landing }) => {
  await landing.open();
  // What is not laid out yet cannot be found there.
  const onPhone = (await page.content()).replace(/pointer: ?coarse/g, 'pointer: fine');
  const inOldSafari = onPhone.replaceAll('animation-timeline', 'unknown'); // before 26
  await page.goto('about:blank');
  const isLate = async (html: string) => {
    await page.setContent(html);
    const bands = page.locator('main > *, footer');
    return bands.evaluateAll((all) => all.some((one) => getComputedStyle(one).contentVisibility === 'auto'));
  };
  expect([await isLate(onPhone), await isLate(inOldSafari)]).toEqual([true, false]);
});

test('with reduced motion, nothing moves', async ({ page, landing }) => {
  const answer = await landing.holdAnswers();
  await landing.open();
  const actions: Record<string, () => Promise<unknown>> = {
    'opening the page': async () => {},
    'opening the menu': () => landing.menu.trigger.click(),
    'closing the menu': () => page.keyboard.press('Escape'),
    sending: () => landing.hero.submit('visitor@example.org'),
    joining: async () => (answer(), await expect(landing.success).toBeVisible()),
    'closing the success modal': () => page.keyboard.press('Escape'),
    'opening a question': () => page.locator('#faq summary').first().click(),
    'going up': () => landing.section(readWords('banner').heading).getByRole('link').click(),
  };
  for (const [name, act] of Object.entries(actions)) {
    await act();
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .map(({ effect }) => effect as KeyframeEffect)
        .filter((effect) => !effect.getKeyframes().every((frame) => 'visibility' in frame))
        .map(({ target }) => target?.outerHTML.slice(0, 80)),
    );
    expect(moving, name).toEqual([]);
  }
  await expect(page.locator('html')).toHaveCSS('scroll-behavior', 'auto');
});

/** Lists controls, modals and tickets that nothing but a color sets apart, and forced colors would hide. */
function findEdgeless(page: Page): Promise<string[]> {
  const shapes = 'a[href], button, summary, input:not([type=hidden]), dialog, .accordion-arrow, .cut-out';
  return page.locator(shapes).evaluateAll((all) =>
    all
      .filter((control) => control.checkVisibility())
      .filter((control) => {
        // A circle is drawn around its picture, because the link that fingers hit is larger.
        const hasEdge = [control, ...control.querySelectorAll(':scope > img')].some((drawn) => {
          const { borderTopStyle, borderTopWidth } = getComputedStyle(drawn);
          return borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0;
        });
        const isLink = control.matches('a:not(.action), summary');
        return !hasEdge && !(isLink && (control as HTMLElement).innerText.trim());
      })
      .map((control) => control.outerHTML.slice(0, 120)),
  );
}
