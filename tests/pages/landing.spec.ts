import { expect } from '@playwright/test';
import { formatDollars, platformShare, splitSales } from '../../src/config/earnings.ts';
import { anchors, examples, footerSocial, pages, site, social } from '../../src/config/site.ts';
import { readItems, readWords } from '../words.ts';
import { settle } from './every-page.ts';
import { test } from './landing-page.ts';

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

test.beforeEach(({ landing }) => landing.open());

test('every section shows its words, in order, and labels its examples', async ({ page, landing }) => {
  const name = `${hero.greeting} ${hero.heading}`;
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  for (const words of [hero.tagline, hero.lede, hero.note]) {
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
  // Editors may add headings within a text.
  const headings = page.getByRole('heading', { level: 2 }).and(page.locator('main [id$=-heading]'));
  await expect(headings).toHaveText(
    [waitlist, creators, features, banner, reasons, faq, community].map(({ heading }) => heading),
  );
  const audience = landing.section(creators.heading);
  await expect(audience.getByRole('heading', { level: 3 })).toHaveText([
    creators.audienceHeading,
    creators.kindsHeading,
    creators.xpHeading,
  ]);
  await expect(audience.locator('.audience li')).toHaveText(creators.audience);
  await expect(audience.locator('.kinds li')).toHaveText(creators.kinds);
  for (const words of [creators.xp, creators.xpExample])
    await expect(audience.getByText(words, { exact: true })).toBeVisible();
  const titles = (name: 'perks' | 'features' | 'reasons') => readItems(name).map(({ title }) => title);
  await expect(landing.section(waitlist.heading).locator('li > strong')).toHaveText(titles('perks'));
  await expect(landing.section(features.heading).locator('li > h3')).toHaveText(titles('features'));
  const numbered = landing.section(reasons.heading).locator('.levels > li');
  await expect(numbered.locator('h3')).toHaveText(
    titles('reasons').map((title, index) => `${index + 1} ${title}`),
  );
  for (const answer of await page.locator('#faq .accordion-panel').allTextContents()) {
    expect(answer.trim(), 'with the facts filled in').toMatch(/^[^{}]+$/);
  }
  await expect(
    landing.section(community.heading).getByText(community.tagline, { exact: true }),
  ).toBeVisible();
  const section = landing.section(waitlist.heading);
  await expect(section.getByRole('heading', { level: 3, name: stages.heading, exact: true })).toBeVisible();
  await expect(section.locator('.stages li')).toHaveText([
    `${stages.waitlist} ${stages.waitlistState}`,
    `${stages.discord} ${stages.discordState}`,
    `${stages.beta} ${stages.betaState}`,
    `${stages.marketplace} ${stages.marketplaceState}`,
  ]);
  const dashboard = section.getByRole('img', { name: waitlist.pictureAlt, exact: true });
  await expect(dashboard).toBeVisible();
  await expect(section.getByText(waitlist.pictureCaption, { exact: true })).toBeVisible();
  const stamps = landing.section(features.heading).getByText(features.stamp, { exact: true });
  await expect(stamps).toHaveCount(await page.locator('.shelved').count());
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(dashboard, 'on a phone').toBeVisible();
});

test('header, forms, last banner and footer have their links, and the footer the notice and the year', async ({
  page,
  landing,
}) => {
  const { consent, consentLink } = readWords('waitlistForm');
  const forms = page.locator('form[method=post]');
  await expect(forms).toHaveCount(2);
  for (const form of await forms.all()) {
    await expect(form).toContainText(consent);
    const link = form.getByRole('link', { name: consentLink, exact: true });
    await expect(link).toHaveAttribute('href', pages.privacy.link);
  }

  const header = page.getByRole('navigation', { name: navigation.links, exact: true });
  const last = landing.section(community.heading);
  for (const [place, name, link] of [
    [header, pages.about.label, pages.about.link],
    [header, navigation.faq, anchors.faq],
    [last, community.formAction, anchors.top],
    [page.getByRole('banner'), navigation.discord, social.discord.link],
    [last, community.action, social.discord.link],
  ] as const) {
    const found = place.getByRole('link', { name, exact: true });
    await expect(found).toHaveAttribute('href', link);
    if (link === social.discord.link) await expect(found).toHaveAttribute('target', '_blank');
  }
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
  await expect(footer).toContainText(site.independenceNotice);
  await expect(footer).toContainText(`© ${site.copyrightYear} ${site.name}`);
});

test('the header invites where no form is in view', async ({ page, landing }) => {
  test.skip(!(await page.evaluate(() => CSS.supports('timeline-scope: --form'))), 'needs scroll timelines');
  const form = landing.section(waitlist.heading).locator('form[method=post]');
  const link = page
    .getByRole('banner')
    .getByRole('link', { name: readWords('waitlistForm').action, exact: true });
  await expect(link).toBeHidden();
  await page.locator('#faq').scrollIntoViewIfNeeded();
  await expect(link).toBeInViewport();
  await form.scrollIntoViewIfNeeded();
  await expect(link).toBeHidden();
});

test('the payout slip says what a creator keeps for each price and number of sales', async ({
  page,
  landing,
}) => {
  const section = landing.section(features.heading);
  await expect(section.getByText(slip.note, { exact: true })).toBeVisible();
  const choose = (group: string, name: string) =>
    page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name, exact: true }).check();
  await expect(section.locator('dt')).toHaveText([slip.total, `${slip.fee} ${platformShare}`, slip.keep]);
  for (const price of examples.prices) {
    await choose(slip.price, `$${price}`);
    for (const sales of examples.sales) {
      await choose(slip.sales, `${sales}`);
      const { fee, kept } = splitSales(price * sales);
      const amounts = [formatDollars(price * sales), `−${formatDollars(fee)}`, formatDollars(kept)];
      await expect(section.locator('dd span:visible')).toHaveText(amounts);
    }
  }
  // A screen reader announces the new amounts.
  await expect(section.locator('dl')).toHaveAttribute('aria-live', 'polite');
});

test('the arrow leads to the features, and the banner to the top', async ({ page, landing }) => {
  await page.getByRole('link', { name: hero.scroll, exact: true }).click();
  await expect(page.getByRole('heading', { name: features.heading, exact: true })).toBeInViewport();
  const action = landing.section(banner.heading).getByRole('link', { name: banner.action, exact: true });
  await action.scrollIntoViewIfNeeded();
  await action.click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test('the menu takes the focus and returns it after Escape, and closes with ×, a click outside and its links, which lead where they should', async ({
  page,
  landing,
}) => {
  const { menu } = landing;
  await menu.trigger.press('Enter');
  await expect(menu.dialog.getByRole('heading')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu.dialog).toBeHidden();
  await expect(menu.trigger).toBeFocused();
  for (const close of [
    () => menu.close.click(),
    () => page.mouse.click(10, 400),
    () => menu.link(navigation.features).click(),
  ]) {
    await menu.open();
    await settle(page);
    await close();
    await expect(menu.dialog).toBeHidden();
  }
  await expect(page.getByRole('heading', { name: features.heading, exact: true })).toBeInViewport();
  await menu.open();
  await menu.link(readWords('waitlistForm').action).click();
  await expect(menu.dialog).toBeHidden();
  await expect(page).toHaveURL(`/${anchors.top}`);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 412, height: 823 }, hasTouch: true, reducedMotion: 'no-preference' });

  test('a link to a section leads to its beginning, which nothing covers, from the menu and from elsewhere', async ({
    page,
    landing,
  }) => {
    const isAtTop = (anchor: string) =>
      page.locator(anchor).evaluate((section) => {
        const margin = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
        const { left, top } = section.querySelector('h2')!.getBoundingClientRect();
        const isSeen = section.contains(document.elementFromPoint(left + 2, top + 2));
        return isSeen && Math.abs(section.getBoundingClientRect().top - margin) < 2;
      });
    await landing.menu.open();
    await landing.menu.dialog.locator(`a[href="${anchors.features}"]`).click();
    await expect.poll(() => isAtTop(anchors.features)).toBe(true);
    await page.goto('about:blank');
    await page.goto(`/${anchors.faq}`);
    await expect.poll(() => isAtTop(anchors.faq)).toBe(true);
  });
});

test('only one question is open at a time, and a click closes it', async ({ page }) => {
  const section = page.locator('#faq');
  const triggers = section.locator('summary');
  const questions = readItems('faq').map(({ question }) => question);
  await expect(triggers).toHaveText(questions);
  const support = section.getByRole('link', { name: faq.supportLink, exact: true });
  await expect(support).toHaveAttribute('href', pages.support.link);
  await expect(triggers.locator('svg')).toHaveCount(questions.length);
  await expect(section.locator('details[open]')).toHaveCount(0);
  const last = questions.length - 1;
  for (const hasName of [true, false]) {
    if (!hasName) {
      // As in a browser that does not support it.
      await expect(section.locator('astro-island')).not.toHaveAttribute('ssr');
      await section
        .locator('details')
        .evaluateAll((all) => all.forEach((one) => one.removeAttribute('name')));
    }
    for (const index of [0, last]) {
      await triggers.nth(index).click();
      await expect(section.locator('details[open]')).toHaveCount(1);
      await expect(section.locator('details').nth(index)).toHaveAttribute('open', '');
    }
  }
  await triggers.nth(last).click();
  await expect(section.locator('details[open]')).toHaveCount(0);
});
