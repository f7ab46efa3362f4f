import type { CollectionEntry, CollectionKey } from 'astro:content';
import type { AstroComponentFactory } from 'astro/runtime/server/index.js';
import { z } from 'astro/zod';
import { fillFacts } from './facts.ts';
import { pictograms } from '../pictures/names.ts';
import { questionAnchors } from '../config/site.ts';

/** A content file or a folder of them: where it is, which page shows it, and what it must contain. */
export interface Collection {
  /** The folder below content/. */
  folder: string;
  /** The name of the only file. Without a name, every .mdx file in the folder is an item. */
  name?: string;
  /** How many items the folder must have. One by default. */
  fewest?: number;
  /** The page that shows it, or that its links start from. */
  page: `/${string}`;
  /** What the anchor of an item begins with. */
  anchor?: string;
  /** Rules for the text below the fields. Without them the file has no text. */
  text?: TextRules;
  schema: z.ZodObject;
}

export interface TextRules {
  /** The maximum number of words. */
  longest?: number;
  hasHeadings: boolean;
  /** Whether the text is sent as an email: it has one button, one level of headings and no pictures. */
  isEmail?: true;
  /** Words that the law or the product requires in the text. */
  mustName?: readonly string[];
}

/** Returns the path pattern of a collection's files, relative to the root of the project. */
export function pathOf({ folder, name = '*' }: Pick<Collection, 'folder' | 'name'>): string {
  return `content/${folder}/${name}.mdx`;
}

/** One line of words with a maximum length in characters, as typed. Facts such as {app} are filled in. */
const words = (longest: number, description: string) =>
  z.string().trim().min(1).max(longest).transform(fillFacts).describe(description);

/** A path of the site. The content check looks for the page and the place that it leads to. */
const path = (description: string) => z.string().startsWith('/').meta({ description, isLink: true });

/** A date in words. A day that can be read must be in the calendar. */
const date = (description: string) =>
  words(60, description)
    .refine((typed) => {
      const day = /(?<!\d)\d\d?(?!\d)/.exec(typed)?.[0];
      const read = new Date(`${typed} UTC`).getUTCDate();
      return /\p{L}/u.test(typed) && (!day || Number.isNaN(read) || read === Number(day));
    })
    .describe(description);

/** A list of such lines, with at least one. */
const listOfWords = (longest: number, description: string) =>
  z.array(words(longest, description)).min(1).describe(description);

type Shape = z.core.$ZodLooseShape;

/** One section of the landing page: `content/sections/<name>.mdx`. */
function section<Of extends Shape>(name: string, shape: Of) {
  return { folder: 'sections', name, page: '/', schema: z.strictObject(shape) } as const;
}

const order = z.number().positive().describe('The position in its folder: the lowest number comes first.');

/** A folder of items with a text each: `content/<folder>/<id>.mdx`. */
function items<Of extends Shape>(folder: string, longest: number, shape: Of) {
  const schema = z.strictObject({ order, ...shape });
  return { folder, page: '/', text: { longest, hasHeadings: false }, schema } as const;
}

/** A separate page: `content/pages/<name>.mdx`. */
function page<Of extends Shape>(name: string, shape: Of) {
  return { folder: 'pages', name, page: `/${name}`, schema: z.strictObject(shape) } as const;
}

/** A page of its own with a heading and a text. */
function article<Of extends Shape>(name: string, shape: Of) {
  const heading = words(90, 'The heading of the page.');
  return { ...page(name, { ...seen, heading, ...shape }), text: { hasHeadings: true } };
}

/** A legal text: `content/legal/<name>.mdx`. */
function legalText(name: string, ...mustName: string[]) {
  const schema = z.strictObject({
    ...seen,
    updatedLabel: words(40, 'The words before the date.'),
    updated: date('When the text was last changed, such as 14 January 2025.'),
  });
  return { folder: 'legal', name, page: `/${name}`, text: { hasHeadings: true, mustName }, schema } as const;
}

const heading = words(90, 'The heading of the section.');

const seen = {
  title: words(40, 'The title in the browser tab and in search results.'),
  description: words(180, 'One or two sentences for search results and shared links.'),
};

const item = { title: words(60, 'What the item is called, in a few words.') };

const question = {
  question: words(120, 'The question as a visitor would ask it. The answer is the text below.'),
};

/** Every content file, by the name that the pages use for it. */
export const collections = {
  hero: section('hero', {
    greeting: words(24, 'The first words of the headline, in smaller letters.'),
    heading: words(90, 'The headline of the landing page.'),
    tagline: words(60, 'The line below the headline.'),
    lede: words(160, 'One or two short sentences: what it is, who it is for, and what they keep.'),
    note: words(120, 'What early members get, above the form.'),
    scroll: words(60, 'The words beside the arrow to the features. Phones show only the arrow.'),
  }),
  waitlistForm: section('waitlist-form', {
    label: words(24, 'The name of the field.'),
    placeholder: words(24, 'An example address inside the empty field.'),
    action: words(30, 'The button.'),
    sending: words(30, 'The button while the sign-up is being sent.'),
    consent: words(200, 'What signing up means. The link to the privacy policy follows it.'),
    consentLink: words(40, 'The words of the link to the privacy policy.'),
    failure: words(160, 'What a visitor reads when a sign-up failed, if the deployment shows a notice.'),
  }),
  success: section('success', {
    heading: words(60, 'What a new member reads after the sign-up.'),
    mail: words(90, 'What happens next: the welcome email.'),
    text: words(60, 'What to do next.'),
    action: words(30, 'The button that opens Discord.'),
    close: words(30, 'The name of the × button, for screen readers.'),
    back: words(40, 'The link back to the page (shown when JavaScript is off).'),
  }),
  refusals: section('refusals', {
    addressHeading: words(90, 'The heading when the address is not valid (shown without JavaScript).'),
    addressText: words(200, 'What the visitor can do about it.'),
    failedHeading: words(90, 'The heading when the sign-up was not accepted (shown without JavaScript).'),
    failedText: words(200, 'What the visitor can do about it.'),
    laterHeading: words(90, 'The heading when there were too many sign-ups (shown without JavaScript).'),
    laterText: words(200, 'What the visitor can do about it.'),
    closedHeading: words(90, 'The heading while sign-ups are closed.'),
    closedText: words(200, 'What the visitor can do about it.'),
    action: words(30, 'The link back to the form.'),
  }),
  waitlist: section('waitlist', {
    heading,
    pictureAlt: words(260, 'What the picture of the dashboard shows, for people who cannot see it.'),
    pictureCaption: words(60, 'The stamp on the picture. It says that the figures are examples.'),
  }),
  stages: section('stages', {
    heading,
    waitlist: words(20, 'The name of the waitlist.'),
    waitlistState: words(20, 'The status of the waitlist.'),
    discord: words(20, 'The name of the community.'),
    discordState: words(20, 'The status of the community.'),
    beta: words(20, 'The name of the beta.'),
    betaState: words(20, 'The status of the beta. Write no date until one is set.'),
    marketplace: words(20, 'The name of the marketplace.'),
    marketplaceState: words(20, 'The status of the marketplace.'),
  }),
  creators: section('creators', {
    heading,
    audienceHeading: words(60, 'The heading above the list of people.'),
    audience: listOfWords(40, 'One kind of creator.'),
    kindsHeading: words(60, 'The heading above the list of content.'),
    zip: listOfWords(40, 'One kind of content that is sold as a ZIP file.'),
    mp4: listOfWords(40, 'One that is sold as an MP4 file.'),
    png: listOfWords(40, 'One that is sold as PNG files.'),
    pdf: listOfWords(40, 'One that is sold as a PDF file.'),
    more: listOfWords(40, 'One that comes as any other file.'),
    xpHeading: words(60, 'The heading of the text about XP.'),
    xp: words(300, 'How XP is earned and what it unlocks.'),
  }),
  featuresSection: section('features', {
    heading,
    stamp: words(20, 'The stamp beside the example drops. It says that they are examples.'),
  }),
  drops: {
    folder: 'drops',
    page: '/',
    schema: z.strictObject({
      order,
      title: words(40, 'The name of an example drop.'),
      kind: words(40, 'What kind of content it is.'),
      price: words(8, 'What it costs, such as $9.'),
      studio: words(40, 'Who sells it.'),
    }),
  },
  banner: section('banner', { heading, action: words(30, 'The link to the form.') }),
  reasonsSection: section('reasons', { heading }),
  payoutSlip: section('payout-slip', {
    heading: words(40, 'The heading of the slip.'),
    price: words(30, 'The label of the choice between prices.'),
    sales: words(30, 'The label of the choice between numbers of sales.'),
    total: words(30, 'The line that shows what the buyers paid.'),
    fee: words(30, "The line that shows the platform's share. The percentage follows it."),
    keep: words(30, 'The line that shows what the creator keeps.'),
    note: words(120, 'The small print. It says that this is an example, before tax.'),
  }),
  faqSection: section('faq', {
    heading,
    support: words(60, 'The line below the heading, before the link to the support page.'),
    supportLink: words(30, 'The link to the support page. A period follows it.'),
    response: words(60, 'How soon we answer.'),
  }),
  community: section('community', {
    heading,
    tagline: words(120, 'The line below the heading.'),
    action: words(30, 'The link to Discord.'),
    formAction: words(30, 'The button that leads to the form.'),
  }),
  header: section('header', {
    skip: words(40, 'The link that skips the header, for keyboard users.'),
    home: words(60, 'The name of the logo, for screen readers.'),
    back: words(30, 'The link from every other page to the landing page.'),
    join: words(12, 'The short label of the button to the form, in the header on phones.'),
  }),
  navigation: section('navigation', {
    open: words(40, 'The name of the menu icon, for screen readers.'),
    heading: words(12, 'The heading of the menu.'),
    close: words(40, 'The name of the × button of the menu, for screen readers.'),
    features: words(30, 'The link to the features.'),
    faq: words(30, 'The link to the questions.'),
    discord: words(30, 'The link to Discord.'),
    links: words(40, 'The name of the group of links in the header, for screen readers.'),
  }),
  footer: section('footer', {
    contactHeading: words(40, 'The heading above phone and email.'),
    linksHeading: words(40, 'The heading of the links to pages.'),
    socialHeading: words(40, 'The heading of the social links.'),
  }),
  perks: items('perks', 60, item),
  features: items('features', 60, {
    ...item,
    picture: z.enum(pictograms).describe('The picture beside or above the words.'),
  }),
  reasons: items('reasons', 60, item),
  faq: { ...items('faq', 300, question), fewest: 2, anchor: questionAnchors.faq },
  supportFaq: {
    ...items('support-faq', 300, question),
    fewest: 2,
    page: '/support',
    anchor: questionAnchors.supportFaq,
  },
  landing: {
    ...page('landing', { ...seen, title: words(60, 'The title in search results and shared links.') }),
    page: '/',
  },
  about: {
    ...article('about', {
      lede: words(180, 'The line below the heading: who the page is for.'),
      invitation: words(90, 'The line above the link to the landing page.'),
      action: words(30, 'The link to the landing page.'),
    }),
    text: { hasHeadings: true, mustName: ['{independenceNotice}'] },
  },
  unsubscribe: article('unsubscribe', {
    action: words(30, 'The button that removes an address from the list.'),
    linkHeading: words(90, 'The heading when somebody opens the page without the link from an email.'),
    linkText: words(200, 'What the visitor can do about it.'),
    noScriptText: words(200, 'What to do when JavaScript is off, such as using the Unsubscribe link.'),
    help: words(30, 'The button that leads to the support page.'),
    unsubscribedHeading: words(90, 'The heading when the address was removed from the list.'),
    unsubscribedText: words(200, 'What that means.'),
    home: words(30, 'The button that leads to the landing page.'),
    notUnsubscribedHeading: words(90, 'The heading when the address could not be removed.'),
    notUnsubscribedText: words(200, 'What the visitor can do about it.'),
  }),
  support: article('support', {
    channelsHeading: words(60, 'The heading above the ways to reach us.'),
    emailLabel: words(30, 'The name of the email channel.'),
    emailTime: words(80, 'How soon an email is answered.'),
    chatLabel: words(30, 'The name of the chat channel.'),
    chatLink: words(30, 'The link to the chat.'),
    chatTime: words(80, 'How soon a question in the chat is answered.'),
    phoneLabel: words(30, 'The name of the phone channel.'),
    phoneTime: words(80, 'When the phone is answered.'),
    faqHeading: words(60, 'The heading of the questions.'),
    legal: words(60, 'The words before the links to the legal texts.'),
  }),
  welcome: page('welcome', {
    ...seen,
    heading: words(90, 'The heading of the page that shows the welcome email.'),
    failure: words(60, "The heading when the name in the page's URL cannot be read."),
  }),
  welcomeEmail: {
    folder: 'email',
    name: 'welcome',
    page: '/welcome',
    schema: z.strictObject({
      subject: words(70, 'The subject.'),
      preview: words(140, 'The line that an inbox shows after the subject.'),
      heading: words(60, 'The large words at the top.'),
      tagline: words(60, 'The line below them.'),
      intro: words(400, 'The first paragraph.'),
      pass: words(40, 'What the ticket is good for, below its title.'),
      member: words(40, 'The words before the address of the member.'),
      comingHeading: words(60, 'The heading above what is coming.'),
      coming: listOfWords(140, 'One thing that is coming.'),
      nextHeading: words(60, 'The heading above what to do now.'),
      nextDiscord: words(140, 'What to do first. It links to Discord.'),
      nextSocial: words(140, 'What to do second. The social links are at the end of the message.'),
      nextDrop: words(140, 'What to do third.'),
      nextDropLink: path('The answer that it leads to, such as /#question-what-can-i-sell.'),
      action: words(30, 'The button that opens Discord.'),
      forward: words(140, 'The last line, which asks the reader to pass the message on.'),
      reason: words(160, 'Why the member gets the message. The link to unsubscribe follows it.'),
      unsubscribe: words(30, 'The link to unsubscribe.'),
      reply: words(160, 'Where a reply goes, and where to get help. The link to the support page follows.'),
      replyLink: words(40, 'The words of the link to the support page.'),
    }),
  },
  announcements: {
    folder: 'announcements',
    fewest: 0,
    page: '/',
    text: { longest: 500, hasHeadings: true, isEmail: true },
    schema: z.strictObject({
      draft: z.boolean().default(false).describe('true until the message is ready to be sent.'),
      subject: words(70, 'The subject, which is also the large words at the top.'),
      preview: words(140, 'The line that an inbox shows after the subject.'),
    }),
  },
  termsOfUse: legalText(
    'terms-of-use',
    ...['{minimumAge}', '{freeShare}', '{premiumShare}', '{payoutTime}', '{deletionTime}'],
    ...['ZIP', 'MP4', 'PNG', 'PDF', '{independenceNotice}', '<SupportEmail />'],
  ),
  privacyPolicy: legalText(
    'privacy-policy',
    // Who is responsible, who may join, how to reach us, and who works on the data for us.
    ...['<PostalAddress />', '{minimumAge}', '{deletionTime}', '<SupportEmail />', 'Supabase', 'Resend'],
  ),
} satisfies Record<string, Collection>;

/** What a section gets: the fields of its file. */
export type Fields<Name extends CollectionKey> = CollectionEntry<Name>['data'];

/** The fields of a file with its text as a component. */
export type WithText<Name extends CollectionKey> = Fields<Name> & { Text: AstroComponentFactory };

/** One file of a folder. */
export type Item<Name extends CollectionKey> = WithText<Name> & { id: string };
