import { defineCollection } from 'astro:content';
import { z } from 'astro/zod';
import { contentFile, contentFolder } from './content-folder.ts';
import { fillFacts } from './facts.ts';
import { pictograms } from './pictures/names.ts';

/** A text of one line. Facts such as {app} are filled in. */
function words(longest: number, description: string) {
  return z
    .string({
      error: (issue) =>
        issue.input === undefined ? `is missing: ${description}` : `must be text: ${description}`,
    })
    .trim()
    .min(1, `is empty: ${description}`)
    .max(longest, `is longer than ${longest} characters: ${description}`)
    .transform((text, context) => {
      try {
        return fillFacts(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .describe(description);
}

const order = z
  .int('must be a whole number: the place among the files of this folder, counted from 1')
  .min(1, 'must be 1 or more: the place among the files of this folder, counted from 1')
  .describe('The place among the files of this folder, counted from 1.');

const heading = words(90, 'The heading of the section.');

/** One section of the landing page: `content/sections/<name>.mdx`. */
function section<Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape) {
  return defineCollection({ loader: contentFile('sections', name), schema: z.strictObject(shape) });
}

/** A folder of items: `content/<folder>/<id>.mdx`, whose text is the body of the file. */
function items<Shape extends z.core.$ZodLooseShape>(folder: string, shape: Shape) {
  return defineCollection({ loader: contentFolder(folder), schema: z.strictObject({ order, ...shape }) });
}

const card = { title: words(60, 'What the item is called, in a few words.') };
const question = {
  question: words(120, 'The question as a visitor would ask it. The answer is the text below.'),
};

const page = {
  title: words(40, 'The title in the browser tab and in search results.'),
  description: words(180, 'One or two sentences for search results and shared links.'),
};

const legal = { ...page, contents: words(40, 'The heading of the list of what the text contains.') };

export const collections = {
  hero: section('hero', {
    heading: words(90, 'The headline of the landing page.'),
    tagline: words(60, 'The line below the headline.'),
    note: words(120, 'What early members get, below the form.'),
    scroll: words(60, 'What the arrow that scrolls to the features is called, for screen readers.'),
  }),
  waitlistForm: section('waitlist-form', {
    label: words(40, 'The name of the field.'),
    placeholder: words(40, 'An example address inside the empty field.'),
    action: words(30, 'The button.'),
    sending: words(30, 'The button while the sign-up is on its way.'),
    consent: words(200, 'What signing up means. The link to the privacy policy follows it.'),
    consentLink: words(40, 'The words of the link to the privacy policy.'),
  }),
  success: section('success', {
    heading: words(90, 'What a new member reads after the sign-up.'),
    text: words(120, 'What to do next.'),
    action: words(30, 'The button that opens Discord.'),
    close: words(30, 'What the × is called, for screen readers.'),
    back: words(40, 'The link back to the page (shown where no script runs).'),
  }),
  refusals: section('refusals', {
    addressHeading: words(90, 'The heading when the address cannot be right (shown where no script runs).'),
    addressText: words(200, 'What to do about it.'),
    failedHeading: words(90, 'The heading when the sign-up could not be taken (shown where no script runs).'),
    failedText: words(200, 'What to do about it.'),
    laterHeading: words(90, 'The heading when there were too many sign-ups (shown where no script runs).'),
    laterText: words(200, 'What to do about it.'),
    action: words(30, 'The link back to the form.'),
  }),
  waitlist: section('waitlist', {
    heading,
    pictureAlt: words(260, 'What the picture of the dashboard shows, for those who do not see it.'),
  }),
  creators: section('creators', {
    heading,
    audienceHeading: words(60, 'The heading of the list of people.'),
    audience: z.array(words(40, 'One kind of creator.')).min(1),
    kindsHeading: words(60, 'The heading of the list of content.'),
    kinds: z.array(words(40, 'One kind of content.')).min(1),
    xpHeading: words(60, 'The heading of the words about XP.'),
    xp: words(300, 'How XP is earned and what it unlocks.'),
  }),
  featuresSection: section('features', { heading }),
  banner: section('banner', { heading, action: words(30, 'The link to the form.') }),
  reasonsSection: section('reasons', { heading }),
  faqSection: section('faq', { heading }),
  community: section('community', {
    heading,
    tagline: words(120, 'The line below the heading.'),
    action: words(30, 'The link to Discord.'),
  }),
  navigation: section('navigation', {
    open: words(40, 'What the menu icon is called, for screen readers.'),
    heading: words(40, 'The heading of the menu.'),
    close: words(40, 'What the × of the menu is called, for screen readers.'),
    features: words(30, 'The link to the features.'),
    faq: words(30, 'The link to the questions.'),
    discord: words(30, 'The link to Discord.'),
  }),
  footer: section('footer', {
    contactHeading: words(40, 'The heading of phone and e-mail.'),
    linksHeading: words(40, 'The heading of the links to pages.'),
    socialHeading: words(40, 'The heading of the social links.'),
  }),
  welcome: section('welcome', {
    ...page,
    heading: words(90, 'The heading of the page that shows the welcome e-mail.'),
    failure: words(60, 'The heading when the name in the address of the page cannot be read.'),
  }),
  perks: items('perks', card),
  features: items('features', {
    ...card,
    picture: z
      .enum(pictograms, `must be one of ${pictograms.join(', ')}: the picture above the words`)
      .describe('The picture above the words.'),
  }),
  reasons: items('reasons', card),
  faq: items('faq', question),
  supportFaq: items('support-faq', question),
  landing: defineCollection({
    loader: contentFile('pages', 'landing'),
    schema: z.strictObject({ description: page.description }),
  }),
  about: defineCollection({
    loader: contentFile('pages', 'about'),
    schema: z.strictObject({
      ...page,
      heading: words(90, 'The heading of the page.'),
      action: words(30, 'The link to the landing page.'),
    }),
  }),
  leave: defineCollection({
    loader: contentFile('pages', 'leave'),
    schema: z.strictObject({
      ...page,
      heading: words(90, 'The heading of the page.'),
      action: words(30, 'The button that takes an address off the list.'),
      linkHeading: words(90, 'The heading when somebody comes without the link of a message.'),
      linkText: words(200, 'What to do about it.'),
      leftHeading: words(90, 'The heading when the address was taken off the list.'),
      leftText: words(200, 'What that means.'),
      notLeftHeading: words(90, 'The heading when it could not be taken off.'),
      notLeftText: words(200, 'What to do about it.'),
    }),
  }),
  support: defineCollection({
    loader: contentFile('pages', 'support'),
    schema: z.strictObject({
      ...page,
      heading: words(90, 'The heading of the page.'),
      channelsHeading: words(60, 'The heading of the ways to reach us.'),
      emailLabel: words(30, 'The name of the e-mail channel.'),
      emailTime: words(80, 'How soon an e-mail is answered.'),
      chatLabel: words(30, 'The name of the chat channel.'),
      chatLink: words(30, 'The link to the chat.'),
      chatTime: words(80, 'How soon a question in the chat is answered.'),
      phoneLabel: words(30, 'The name of the phone channel.'),
      phoneTime: words(80, 'When the phone is answered.'),
      faqHeading: words(60, 'The heading of the questions.'),
      legalHeading: words(60, 'The heading of the links to the legal texts.'),
    }),
  }),
  termsOfUse: defineCollection({
    loader: contentFile('legal', 'terms-of-use'),
    schema: z.strictObject(legal),
  }),
  privacyPolicy: defineCollection({
    loader: contentFile('legal', 'privacy-policy'),
    schema: z.strictObject(legal),
  }),
};
