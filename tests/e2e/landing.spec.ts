import { expect, type Page, test } from '@playwright/test';
import { formatDollars, platformShare, splitSales } from '../../src/earnings.ts';
import { examples, footerSocial, pages, placeholders, site, social } from '../../src/site.ts';
import { readItems, readWords } from '../words.ts';
import { LandingPage } from './landing-page.ts';

const hero = readWords('hero');
const waitlist = readWords('waitlist');
const stages = readWords('stages');
const slip = readWords('payoutSlip');
const creators = readWords('creators');
const drop = readWords('dropCard');
const features = readWords('featuresSection');
const banner = readWords('banner');
const reasons = readWords('reasonsSection');
const faq = readWords('faqSection');
const community = readWords('community');
const navigation = readWords('navigation');

let landing: LandingPage;

test.describe('what it says', () => {
  // No test changes the page, so they share one.
  test.describe.configure({ mode: 'default' });
  let page: Page;
  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage();
    landing = new LandingPage(page);
    await landing.open();
  });
  test.afterAll(() => page.close());

  test('the hero has headline, tagline, lede and note', async () => {
    const name = `${hero.greeting} ${hero.heading}`;
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
    for (const words of [hero.tagline, hero.lede, hero.note]) {
      await expect(page.getByText(words, { exact: true })).toBeVisible();
    }
  });

  test('the page says who it is for, what is sold and how XP works', async () => {
    const section = landing.section(creators.heading);
    await expect(section.getByRole('heading', { level: 3 })).toHaveText([
      creators.audienceHeading,
      creators.kindsHeading,
      drop.title,
      creators.xpHeading,
    ]);
    await expect(section.locator('.audience li')).toHaveText(creators.audience);
    await expect(section.locator('.kinds li')).toHaveText(creators.kinds);
    await expect(section.getByText(creators.xp, { exact: true })).toBeVisible();
  });

  test('the sections are in order', async () => {
    // Editors may add headings within a text.
    const headings = page.getByRole('heading', { level: 2 }).and(page.locator('main [id$=-heading]'));
    await expect(headings).toHaveText(
      [waitlist, creators, features, banner, reasons, faq, community].map(({ heading }) => heading),
    );
  });

  test('perks, features and numbered reasons are in order', async () => {
    const titles = (name: 'perks' | 'features' | 'reasons') => readItems(name).map(({ title }) => title);
    const perks = landing.section(waitlist.heading);
    await expect(perks.locator('li > strong')).toHaveText(titles('perks'));
    await expect(perks.getByRole('img', { name: waitlist.pictureAlt, exact: true })).toBeVisible();
    await expect(landing.section(features.heading).locator('li h3')).toHaveText(titles('features'));
    const numbered = landing.section(reasons.heading).locator('.levels > li');
    await expect(numbered.locator('h3')).toHaveText(titles('reasons'));
    await expect(numbered.locator('.number')).toHaveText(titles('reasons').map((_, index) => `${index + 1}`));
  });

  test('the stages say what is open and what is planned', async () => {
    const section = landing.section(waitlist.heading);
    await expect(section.getByRole('heading', { level: 3, name: stages.heading, exact: true })).toBeVisible();
    await expect(section.locator('.stages li')).toHaveText([
      `${stages.waitlist} ${stages.waitlistState}`,
      `${stages.discord} ${stages.discordState}`,
      `${stages.beta} ${stages.betaState}`,
      `${stages.marketplace} ${stages.marketplaceState}`,
    ]);
  });

  test('the dashboard is labeled as an example', async () => {
    await expect(
      landing.section(waitlist.heading).getByText(waitlist.pictureCaption, { exact: true }),
    ).toBeVisible();
  });

  test('a drop is labeled as an example, with what its creator keeps', async () => {
    const amounts = [examples.dropPrice, splitSales(examples.dropPrice).kept].map((amount) =>
      formatDollars(amount),
    );
    for (const words of [drop.stamp, ...amounts]) {
      await expect(landing.section(creators.heading).getByText(words, { exact: true })).toBeVisible();
    }
  });

  test('a line at each form says what signing up means, and links to the privacy policy', async () => {
    const { consent, consentLink } = readWords('waitlistForm');
    const forms = page.locator('form[method=post]');
    await expect(forms).toHaveCount(2);
    for (const form of await forms.all()) {
      await expect(form).toContainText(consent);
      await expect(form.getByRole('link', { name: consentLink, exact: true })).toHaveAttribute(
        'href',
        '/privacy-policy',
      );
    }
  });

  test('the header links to About and to the questions', async () => {
    const header = page.getByRole('navigation', { name: navigation.links, exact: true });
    for (const [name, link] of [
      [pages.about.label, '/about'],
      [navigation.faq, '#faq'],
    ] as const) {
      await expect(header.getByRole('link', { name, exact: true })).toHaveAttribute('href', link);
    }
  });

  test('the last banner shows its tagline', async () => {
    await expect(
      landing.section(community.heading).getByText(community.tagline, { exact: true }),
    ).toBeVisible();
  });

  test('the last banner links to the form as well', async () => {
    const link = landing.section(community.heading).getByRole('link', { name: community.formAction });
    await expect(link).toHaveAttribute('href', '#top');
  });

  test('the header and the last banner open Discord in a new tab', async () => {
    for (const link of [
      page.getByRole('banner').getByRole('link', { name: navigation.discord, exact: true }),
      landing.section(community.heading).getByRole('link', { name: community.action, exact: true }),
    ]) {
      await expect(link).toHaveAttribute('target', '_blank');
      await expect(link).toHaveAttribute('href', social.discord.link);
    }
  });

  test('the footer has contacts, links, social icons, the notice and the year', async () => {
    const { contactHeading, linksHeading, socialHeading } = readWords('footer');
    const footer = page.getByRole('contentinfo');
    const contacts = footer.getByRole('region', { name: contactHeading, exact: true });
    await expect(
      contacts.getByRole('link', { name: placeholders.PUBLIC_SUPPORT_PHONE, exact: true }),
    ).toHaveAttribute('href', `tel:+${placeholders.PUBLIC_SUPPORT_PHONE.replace(/\D/g, '')}`);
    await expect(
      contacts.getByRole('link', { name: placeholders.PUBLIC_SUPPORT_EMAIL, exact: true }),
    ).toBeVisible();
    const quick = footer.getByRole('navigation', { name: linksHeading, exact: true }).getByRole('link');
    expect(await quick.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      '/about',
      '/support',
      '/terms-of-use',
      '/privacy-policy',
    ]);
    const icons = footer.getByRole('region', { name: socialHeading, exact: true }).getByRole('link');
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

  test('every question has its answer, with the facts filled in', async () => {
    for (const answer of await page.locator('#faq .accordion-panel').allTextContents()) {
      expect(answer.trim()).toMatch(/^[^{}]+$/);
    }
  });
});

test.describe('what it does', () => {
  test.beforeEach(async ({ page }) => {
    landing = new LandingPage(page);
    await landing.open();
  });

  test('a phone shows no dashboard, and the menu instead of links', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(page.getByRole('navigation', { name: navigation.links, exact: true })).toBeHidden();
    const section = landing.section(waitlist.heading);
    await expect(section.getByRole('img', { name: waitlist.pictureAlt, exact: true })).toBeHidden();
  });

  test('the payout slip says what a creator keeps for each price and number of sales', async ({ page }) => {
    const section = landing.section(reasons.heading);
    const line = (label: string) => section.locator('dl > div').filter({ hasText: label });
    await expect(section.getByText(slip.note, { exact: true })).toBeVisible();
    const read = async () =>
      (await Promise.all([slip.total, slip.fee, slip.keep].map((label) => line(label).innerText()))).map(
        (text) => text.match(/\S*\$\S+/g)?.join(' and '),
      );
    const choose = (group: string, name: string) =>
      page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name, exact: true }).check();
    await expect(section.locator('dt')).toHaveText([slip.total, `${slip.fee} ${platformShare}`, slip.keep]);
    for (const price of examples.prices) {
      await choose(slip.price, `$${price}`);
      for (const sales of examples.sales) {
        await choose(slip.sales, `${sales}`);
        const { fee, kept } = splitSales(price * sales);
        expect(await read()).toEqual([
          formatDollars(price * sales),
          `−${formatDollars(fee)}`,
          formatDollars(kept),
        ]);
      }
    }
    // A screen reader announces the new amounts.
    await expect(section.locator('dl')).toHaveAttribute('aria-live', 'polite');
  });

  test('the arrow of the hero scrolls to the features', async ({ page }) => {
    await page.getByRole('link', { name: hero.scroll, exact: true }).click();
    await expect(page.getByRole('heading', { name: features.heading, exact: true })).toBeInViewport();
  });

  test('the banner scrolls to the top', async ({ page }) => {
    const action = landing.section(banner.heading).getByRole('link', { name: banner.action, exact: true });
    await action.scrollIntoViewIfNeeded();
    await action.click();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });

  test('the header invites where no form is in view', async ({ page }) => {
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

  test.describe('the menu', () => {
    test.beforeEach(() => landing.menu.open());

    test('lists the features, About, Discord and the questions', async () => {
      const links = landing.menu.dialog.getByRole('navigation').getByRole('link');
      await expect(links).toHaveText([
        navigation.features,
        pages.about.label,
        navigation.discord,
        navigation.faq,
      ]);
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
        '#features',
        '/about',
        social.discord.link,
        '#faq',
      ]);
    });

    test('has a button that closes it and leads to the form', async ({ page }) => {
      await landing.menu.dialog
        .getByRole('link', { name: readWords('waitlistForm').action, exact: true })
        .click();
      await expect(landing.menu.dialog).toBeHidden();
      await expect(page).toHaveURL('/#top');
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    });

    test('closes with Escape and restores the focus', async ({ page }) => {
      await page.keyboard.press('Escape');
      await expect(landing.menu.dialog).toBeHidden();
      await expect(landing.menu.trigger).toBeFocused();
    });

    test('closes with its button', async () => {
      await landing.menu.close.click();
      await expect(landing.menu.dialog).toBeHidden();
    });

    test('closes with a click outside', async ({ page }) => {
      await page.mouse.click(10, 400);
      await expect(landing.menu.dialog).toBeHidden();
    });

    test('closes when a visitor follows a link, and goes there', async ({ page }) => {
      await landing.menu.link(navigation.features).click();
      await expect(landing.menu.dialog).toBeHidden();
      await expect(page.getByRole('heading', { name: features.heading, exact: true })).toBeInViewport();
    });
  });

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 412, height: 823 }, hasTouch: true });

    for (const id of ['features', 'faq']) {
      test(`a link to #${id} leads to the beginning of the section`, async ({ page }) => {
        const isAtTop = () =>
          page.locator(`#${id}`).evaluate((section) => {
            const margin = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
            return Math.abs(section.getBoundingClientRect().top - margin) < 2;
          });
        await landing.menu.open();
        await landing.menu.dialog.locator(`a[href="#${id}"]`).click();
        await expect.poll(isAtTop).toBe(true);
        await page.goto('about:blank');
        await page.goto(`/#${id}`);
        await expect.poll(isAtTop).toBe(true);
      });
    }
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
    for (const index of [0, last]) {
      await triggers.nth(index).click();
      await expect(section.locator('details[open]')).toHaveCount(1);
      await expect(section.locator('details').nth(index)).toHaveAttribute('open', '');
    }
    await section
      .locator('.accordion-panel')
      .nth(last)
      .click({ position: { x: 2, y: 2 } });
    await expect(section.locator('details').nth(last)).toHaveAttribute('open', '');
    await triggers.nth(last).click();
    await expect(section.locator('details[open]')).toHaveCount(0);
    await triggers.nth(1).focus();
    await page.keyboard.press('Enter');
    await expect(section.locator('details').nth(1)).toHaveAttribute('open', '');
    await page.keyboard.press('Enter');
    await expect(section.locator('details[open]')).toHaveCount(0);
  });
});
