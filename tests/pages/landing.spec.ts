import { expect } from '@playwright/test';
import { formatDollars, platformShare } from '../../src/config/earnings.ts';
import { anchors, examples, figures, footerSocial, pages, site, social } from '../../src/config/site.ts';
import { readItems, readWords } from '../words.ts';
import { viewports } from './every-page.ts';
import { test } from './landing-page.ts';
import { expectSeen } from './seen.ts';

const hero = readWords('hero');
const waitlist = readWords('waitlist');
const stages = readWords('stages');
const slip = readWords('payoutSlip');
const creators = readWords('creators');
const features = readWords('featuresSection');
const banner = readWords('banner');
const reasons = readWords('reasonsSection');
const faq = readWords('faqSection');
const community = readWords('community');
const navigation = readWords('navigation');

test.use({ reducedMotion: 'no-preference' });

test.beforeEach(({ landing }) => landing.open());

test('every section shows its words, and the dashboard', async ({ page, landing }) => {
  // Editors may add headings within a text.
  const headings = page.getByRole('heading', { level: 2 }).and(page.locator('main [id$=-heading]'));
  const sections = [slip, waitlist, creators, features, banner, reasons, faq, community];
  await expect(headings).toHaveCount(sections.length);
  const titles = [...readItems('perks'), ...readItems('features')].map(({ title }) => title);
  const drops = readItems('drops').map(({ title, kind, price, studio }) => [title, kind, price, studio]);
  const { pictureAlt: name, ...words } = waitlist;
  const others = [hero, slip, creators, features, banner, faq, community, words].flatMap(Object.values);
  const shown = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ').toLowerCase();
  for (const one of [...titles, ...drops.flat(), ...others.flat()])
    expect(shown).toContain(one.toLowerCase());
  expect(shown, 'with the facts filled in').not.toMatch(/[{}]/);
  const numbered = readItems('reasons').map(({ title }, index) => `${index + 1} ${title}`);
  await expect(landing.section(reasons.heading).locator('.levels h3')).toHaveText(numbered);
  await expect(page.locator('.stages li')).toHaveText([
    `${stages.waitlist} ${stages.waitlistState}`,
    `${stages.discord} ${stages.discordState}`,
    `${stages.beta} ${stages.betaState}`,
    `${stages.marketplace} ${stages.marketplaceState}`,
  ]);
  for (const [index, { picture }] of readItems('features').entries())
    await expect(page.locator('.bays img').nth(index)).toHaveAttribute('src', RegExp(`/${picture}\\.`));
  const style = (await page.locator('style').allTextContents()).join('');
  const turns = style.match(/(?<=@[cm][^{}]*)[\d.]+(?=rem)/g)!.map((rem) => Math.round(16 * Number(rem)));
  const labels = [readWords('header').join, readWords('waitlistForm').action];
  // On both sides of every width where the layout changes.
  for (const width of new Set(turns.flatMap((turn) => [turn - 1, turn]))) {
    await page.setViewportSize({ width, height: 900 });
    expect(labels, `${width} px`).toContain(await page.locator('header .join').innerText());
    await expect(page.getByRole('img', { name, exact: true })).toBeVisible();
    await expect(page.locator('.bay:not(:has(:is(img, .labels):visible))'), 'empty bays').toHaveCount(0);
    const bay = (await page.locator('.bays li:last-child .bay').boundingBox())!;
    const text = (await page.locator('.bays li:last-child .words').boundingBox())!;
    const gap = Math.max(text.x - bay.x - bay.width, text.y - bay.y - bay.height);
    expect(gap, 'between a bay and its words').toBeGreaterThan(8);
  }
});

/** Words of the usual length, by their place. An editor may write longer ones, which push the form down. */
const usualWords = {
  'h1 b': 'Underground Economy of Digital Hustlers',
  '.tagline': 'Create. Drop. Get Paid...',
  '.lede': 'Sell what you make for roleplay servers. A free creator keeps most of every sale.',
  '.lede + p': 'Early signups get XP boosts, featured spots, and early access perks',
  '.scroll': 'See what you can do',
};

test('words, form, arrow and the light of the yard are in the first screen', async ({ page, landing }) => {
  const section = page.locator('section[aria-labelledby=hero-heading]');
  const parts = Object.keys(usualWords).map((place) => section.locator(place));
  for (const [index, text] of Object.values(usualWords).entries())
    await parts[index]!.evaluate((element, text) => (element.firstChild!.textContent = text), text);
  parts.push(landing.hero.field, landing.hero.button, page.locator('header .join'));
  await page.setViewportSize({ width: 640, height: 320 });
  await expect(landing.hero.button).toBeInViewport({ ratio: 1 });
  const { y, height } = (await page.locator('.yard img').boundingBox())!;
  expect((await landing.hero.root.boundingBox())!.y, 'not on it').toBeGreaterThanOrEqual(y + height);
  await page.setViewportSize({ width: 932, height: 430 });
  const note = await parts[3]!.boundingBox();
  await landing.hero.root.evaluate((form) => form.toggleAttribute('hidden'));
  expect(await parts[3]!.boundingBox(), 'before the form arrived').toEqual(note);
  await landing.hero.root.evaluate((form) => form.toggleAttribute('hidden'));
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
    await expectSeen(landing.hero.button, `the words of the button at ${viewport.width} px`);
    await expect(page.locator('.yard img')).toBeInViewport({ ratio: 0.45 });
  }
  await expect(page.locator('.yard img'), 'fetched at once').not.toHaveAttribute('loading', 'lazy');
  const place = await section.locator('h1').boundingBox();
  await section.locator('h1 ~ *, .yard').evaluateAll((all) => all.forEach((one) => one.remove()));
  expect(await section.locator('h1').boundingBox(), 'before the rest arrived').toEqual(place);
});

test('nothing passes in front of the header', async ({ page }) => {
  const covering = await page.locator('header').evaluate((header) => {
    const found = new Set<string>();
    for (let top = 0; top < document.body.scrollHeight; top += 20) {
      scrollTo({ top, behavior: 'instant' });
      for (const x of [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => part * innerWidth)) {
        const hit = document.elementFromPoint(x, header.clientHeight / 2);
        if (!header.contains(hit)) found.add(`${hit?.tagName} ${hit?.className}`);
      }
    }
    return [...found];
  });
  expect(covering).toEqual([]);
});

test('header, forms, last banner and footer have their links', async ({ page, landing }) => {
  const { consent, consentLink } = readWords('waitlistForm');
  const forms = page.locator('form[method=post]').filter({ hasText: consent });
  const header = page.getByRole('navigation', { name: navigation.links, exact: true });
  const last = landing.section(community.heading);
  for (const [place, name, link] of [
    [forms.nth(0), consentLink, pages.privacy.link],
    [forms.nth(1), consentLink, pages.privacy.link],
    [header, pages.about.label, pages.about.link],
    [header, navigation.faq, anchors.faq],
    [landing.section(faq.heading), faq.supportLink, pages.support.link],
    [last, community.formAction, anchors.top],
    [page.getByRole('banner'), navigation.discord, social.discord.link],
    [last, community.action, social.discord.link],
  ] as const) {
    await expect(place.getByRole('link', { name, exact: true })).toHaveAttribute('href', link);
  }
  // Also in the modals. A link in an editor's text is the editor's own.
  const leaving = page.locator(`a[href="${social.discord.link}"]:not([target=_blank], .words a)`);
  await expect(leaving).toHaveCount(0);
  const footer = page.getByRole('contentinfo');
  const icons = footer
    .getByRole('region', { name: readWords('footer').socialHeading, exact: true })
    .getByRole('link');
  await expect(icons).toHaveCount(footerSocial.length);
  for (const { label, link, hasOval } of footerSocial) {
    const icon = icons.and(page.getByRole('link', { name: label, exact: true }));
    await expect(icon).toHaveAttribute('href', link);
    await expect(icon).toHaveAttribute('target', '_blank');
    await expect(icon).toHaveCSS('border-radius', hasOval ? '50%' : '0px');
  }
  await expect(footer).toContainText(`© ${site.copyrightYear} ${site.name}`);
  await landing.section(banner.heading).getByRole('link', { name: banner.action, exact: true }).click();
  await expect(page.locator('#top:target #hero-email'), 'its lamp').toHaveCSS('outline-style', 'solid');
});

test('the payout slip says what a creator keeps of each choice', async ({ page, landing }) => {
  const section = landing.section(slip.heading);
  const choose = (group: string, name: string) =>
    page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name, exact: true }).check();
  await expect(section.locator('dt')).toHaveText([slip.total, `${slip.fee} ${platformShare}`, slip.keep]);
  await expect(section.locator('dl')).toHaveAttribute('aria-live', 'polite');
  const share = Number.parseFloat(figures.freeShare.replace(',', '.'));
  for (const price of examples.prices) {
    await choose(slip.price, `$${price}`);
    for (const sales of examples.sales) {
      await choose(slip.sales, `${sales}`);
      const total = price * sales;
      const fee = Math.round(total * (100 - share)) / 100;
      const amounts = [formatDollars(total), formatDollars(fee), formatDollars(total - fee)];
      await expect(section.locator('dd span:visible')).toHaveText(amounts);
    }
  }
  const countColors = (all: Element[]) =>
    new Set(all.map((one) => getComputedStyle(one).backgroundColor)).size;
  const looks = () => section.getByRole('radio').evaluateAll(countColors);
  await expect.poll(looks, 'chosen or not, also under the pointer').toBe(2);
  await page.setViewportSize({ width: 320, height: 568 });
  const countLines = (amounts: Element[]) => amounts.map((amount) => amount.getClientRects().length);
  expect(await section.locator('dd span:visible').evaluateAll(countLines)).toEqual([1, 1, 1]);
  await page.emulateMedia({ media: 'print' });
  await expect(section.locator('dd span:visible')).toHaveCount(3);
  const readNames = (inputs: Element[]) => inputs.map((input) => getComputedStyle(input, '::before').display);
  expect(await section.locator(':checked').evaluateAll(readNames), 'the choices').toEqual(['flex', 'flex']);
  const old = (await page.content()).replaceAll(':has(', ':unknown(');
  await page.goto('about:blank');
  await page.setContent(old);
  await expect(section.locator('dd span:visible'), 'in a browser without :has()').toHaveCount(3);
  await expect(section.getByRole('group')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 412, height: 823 }, hasTouch: true });

  test('every link to a section leads to its beginning', async ({ page, landing }) => {
    const findPlace = (anchor: string) =>
      page.locator(anchor).evaluate((section) => {
        const margin = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
        const { left, top } = section.querySelector('h2')!.getBoundingClientRect();
        const isInFront = section.contains(document.elementFromPoint(left + 2, top + 2));
        return { isInFront, isOff: Math.abs(section.getBoundingClientRect().top - margin) >= 2 };
      });
    const atTop = { isInFront: true, isOff: false };
    const banner = page.locator('section.printed');
    const { height } = (await banner.boundingBox())!;
    await page.getByRole('link', { name: hero.scroll, exact: true }).click();
    await expect.poll(() => findPlace(anchors.features)).toEqual(atTop);
    await landing.menu.open();
    await landing.menu.dialog.locator(`a[href="${anchors.faq}"]`).click();
    await expect.poll(() => findPlace(anchors.faq)).toEqual(atTop);
    expect((await banner.boundingBox())!.height, 'what is below does not jump').toBe(height);
  });

  test('only one question is open at a time, a click closes it, and it stays in place', async ({ page }) => {
    const section = page.locator('#faq');
    const triggers = section.locator('summary');
    const questions = readItems('faq').map(({ question }) => question);
    await expect(triggers).toHaveText(questions);
    await expect(triggers.locator('svg')).toHaveCount(questions.length);
    await triggers.first().hover();
    await expect(section.locator('astro-island')).not.toHaveAttribute('ssr');
    await section.locator('details').evaluateAll((all) => all.forEach((one) => one.removeAttribute('name')));
    const last = questions.length - 1;
    for (const index of [0, last]) {
      await triggers.nth(index).scrollIntoViewIfNeeded();
      const { y } = (await triggers.nth(index).boundingBox())!;
      await triggers.nth(index).click();
      expect((await triggers.nth(index).boundingBox())!.y, 'its place').toBeCloseTo(y, 0);
      await section.locator('details[open] > div').dispatchEvent('click'); // on words, or on a link
      await expect(section.locator('details[open]')).toHaveCount(1);
      await expect(section.locator('details').nth(index)).toHaveAttribute('open');
    }
    const isOverOthers = page.locator('#faq details >> nth=-1').evaluate(async (item) => {
      await new Promise((done) => item.addEventListener('toggle', done));
      for (const motion of item.getAnimations({ subtree: true })) motion.currentTime = 160; // half of it
      const { left, bottom } = item.getBoundingClientRect();
      return item.contains(document.elementFromPoint(left + 8, bottom + 12));
    });
    await triggers.nth(last).click();
    expect(await isOverOthers, 'the closing answer').toBe(false);
    await expect(section.locator('details[open]')).toHaveCount(0);
  });

  test('a link to an answer opens and shows it, from outside and on the page', async ({ page }) => {
    for (const path of ['/', '/support']) {
      await page.setViewportSize({ width: path === '/' ? 412 : 1440, height: 823 });
      await page.goto(path);
      // As with longer words in Safari, which does not keep the place when something above it gets its height.
      await page.evaluate(() => {
        for (const { style } of document.querySelectorAll<HTMLElement>('html, .band'))
          Object.assign(style, { overflowAnchor: 'none', containIntrinsicSize: '9rem' });
      });
      const ids = await page.locator('details > [id]').evaluateAll((all) => all.map(({ id }) => id));
      for (const id of [ids[0]!, ids.at(-1)!]) {
        if (id === ids[0]) await page.evaluate((id) => (location.hash = id), id);
        else for (const url of ['/robots.txt', `${path}#${id}`]) await page.goto(url);
        const item = page.locator(`details:has(#${id})`);
        for (const part of ['summary', '> [id]']) await expectSeen(item.locator(part), `#${id}`);
      }
    }
  });
});
