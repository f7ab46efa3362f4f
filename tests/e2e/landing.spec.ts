import { expect, test } from '@playwright/test';
import { site, social } from '../../src/site.ts';

test.beforeEach(({ page }) => page.goto('/').then(() => {}));

test('the hero says what the specification says', async ({ page }) => {
  await expect(
    page.getByRole('heading', { level: 1, name: 'Welcome to the Underground Economy of Digital Hustlers' }),
  ).toBeVisible();
  await expect(page.getByText('Create. Drop. Get Paid...', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Early signups get XP boosts, featured spots, and early access perks', { exact: true }),
  ).toBeVisible();
});

test('says who it is for, what is sold, how XP works and that a beta is planned', async ({ page }) => {
  const main = page.getByRole('main');
  for (const words of [
    ...['Modders', 'Coders', 'Mission makers', 'Voice artists', 'Storytellers'],
    ...[
      'Scripts',
      'Missions',
      'Mods',
      'Voice packs',
      'Animations',
      'UI kits',
      'Textures',
      'Guides',
      'Lore sheets',
    ],
    ...['Tools', 'Models', 'Stories', 'Voices'],
    'a beta is planned',
    'You earn XP through activity, uploads and community engagement',
    'unlocks perks and visibility',
    'Your name over the door and your brand on the walls',
    'features your drop on the homepage',
  ]) {
    await expect(main).toContainText(words);
  }
});

test('has the sections of the specification, in their order', async ({ page }) => {
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'Be one of the first 1,000 creators',
    'Built for the people who build the scene',
    `What can you do on ${site.name}?`,
    'Turn your RP creativity into income — fast.',
    'Reasons why it works for creators',
    "Have questions? We've got you!",
    'Join the RP creator movement. Get paid for what you love.',
  ]);
});

test('lists five perks, six features and five numbered reasons', async ({ page }) => {
  const section = (name: string | RegExp) => page.getByRole('region', { name });
  await expect(section(/first 1,000/).locator('li strong')).toHaveText([
    'Early access',
    'Free Boost tokens',
    'Featured placement',
    'XP perks',
    'Early-adopter badge',
  ]);
  await expect(section(/first 1,000/).getByRole('img', { name: /creator dashboard/ })).toBeVisible();
  await expect(section(`What can you do on ${site.name}?`).getByRole('heading', { level: 3 })).toHaveText([
    'Sell RP content',
    'Customize your storefront',
    'Get paid via a card payment provider',
    'AI tools and templates',
    'Explore the marketplace',
    'Boost your drops',
  ]);
  const reasons = section('Reasons why it works for creators').getByRole('listitem');
  await expect(reasons).toHaveText([
    /^\s*1\s*You own your content/,
    /^\s*2\s*You set the price and terms/,
    /^\s*3\s*No dev skills needed/,
    /^\s*4\s*Instant payouts 24\/7/,
    /^\s*5\s*Game-native UX/,
  ]);
});

test('a line at each form says what signing up means, and leads to the privacy policy', async ({ page }) => {
  const forms = page.locator('form[method=post]');
  await expect(forms).toHaveCount(2);
  for (const form of await forms.all()) {
    await expect(form).toContainText('Signing up puts your address on the waitlist.');
    await expect(form.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute(
      'href',
      '/privacy-policy',
    );
  }
});

test('the arrow of the hero scrolls to the features', async ({ page }) => {
  await page.getByRole('link', { name: 'Scroll down' }).click();
  await expect(page.getByRole('heading', { name: `What can you do on ${site.name}?` })).toBeInViewport();
});

test('the banner scrolls to the top', async ({ page }) => {
  const action = page
    .getByRole('region', { name: 'Turn your RP creativity' })
    .getByRole('link', { name: 'Join Waitlist' });
  await action.scrollIntoViewIfNeeded();
  await action.click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test('the header and the last banner lead to Discord in a new tab', async ({ page }) => {
  for (const link of [
    page.getByRole('banner').getByRole('link', { name: 'Join Discord' }),
    page
      .getByRole('region', { name: 'Join the RP creator movement' })
      .getByRole('link', { name: 'Join Discord' }),
  ]) {
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(link).toHaveAttribute('href', social.discord.link);
  }
});

test('the footer has contacts, links, social icons, the notice and the year', async ({ page }) => {
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link', { name: '+1 (555) 555-0142' })).toHaveAttribute(
    'href',
    'tel:+15555550142',
  );
  await expect(footer.getByRole('link', { name: 'support@dropyard.example' })).toBeVisible();
  const quick = footer.getByRole('navigation', { name: 'Quick Links' }).getByRole('link');
  expect(await quick.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    '/about',
    '/support',
    '/terms-of-use',
    '/privacy-policy',
  ]);
  const social = footer.getByRole('region', { name: 'Subscribe' }).getByRole('link');
  expect(await social.evaluateAll((links) => links.map((link) => link.getAttribute('target')))).toEqual(
    Array(4).fill('_blank'),
  );
  await expect(footer).toContainText('not affiliated');
  await expect(footer).toContainText(`© 2025 ${site.name}`);
});

test.describe('the menu', () => {
  test.beforeEach(async ({ page }) => {
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  });

  test('lists How it works, About, Join Discord and FAQ', async ({ page }) => {
    const links = page.getByRole('dialog').getByRole('link');
    await expect(links).toHaveText(['How it works', 'About', 'Join Discord', 'FAQ']);
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      '#features',
      '/about',
      social.discord.link,
      '#faq',
    ]);
  });

  test('closes by Escape and gives the focus back', async ({ page }) => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Open the menu' })).toBeFocused();
  });

  test('closes by its button', async ({ page }) => {
    await page.getByRole('button', { name: 'Close the menu' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  test('closes by a click outside', async ({ page }) => {
    await page.mouse.click(10, 400);
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  test('closes on choosing a link, and goes there', async ({ page }) => {
    await page.getByRole('dialog').getByRole('link', { name: 'How it works' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('heading', { name: `What can you do on ${site.name}?` })).toBeInViewport();
  });
});

test('five questions, one open at a time, and the open one closes by a click', async ({ page }) => {
  const faq = page.locator('#faq');
  const triggers = faq.locator('summary');
  await expect(triggers).toHaveCount(5);
  await expect(triggers.locator('svg')).toHaveCount(5);
  await expect(faq.locator('details[open]')).toHaveCount(0);
  for (const index of [0, 3]) {
    await triggers.nth(index).click();
    await expect(faq.locator('details[open]')).toHaveCount(1);
    await expect(faq.locator('details').nth(index)).toHaveAttribute('open', '');
  }
  await triggers.nth(3).click();
  await expect(faq.locator('details[open]')).toHaveCount(0);
  await triggers.nth(1).focus();
  await page.keyboard.press('Enter');
  await expect(faq.locator('details').nth(1)).toHaveAttribute('open', '');
  await page.keyboard.press('Enter');
  await expect(faq.locator('details[open]')).toHaveCount(0);
});

test('the answers state the facts', async ({ page }) => {
  const faq = page.locator('#faq');
  for (const fact of [
    '85%',
    '90%',
    'no hidden fees',
    '100% ownership',
    'exclusive or licensed',
    '2-3 business days',
    'original custom content',
    'ZIP',
    'MP4',
    'PNG',
    'PDF',
    'at least 18',
    '1,000',
  ]) {
    await expect(faq).toContainText(fact);
  }
});
