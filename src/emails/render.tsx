import { resolve } from 'node:path';
import { render } from '@react-email/render';
import type { ReactElement } from 'react';
import { blanks } from '../../shared/fill-template.ts';
import type { Values } from '../../shared/variables.ts';
import { collections, pathOf } from '../content-model/collections.ts';
import { readContent } from '../content-model/files.ts';
import { AnnouncementEmail } from './AnnouncementEmail.tsx';
import { WelcomeEmail } from './WelcomeEmail.tsx';

interface Template {
  subject: string;
  html: string;
  text: string;
}

/** Gmail cuts a message off at 102 KB. The rest is reserved for the values that fill the blanks. */
const LARGEST = 100 * 1024; // bytes

const selectors = [
  // Otherwise the renderer would capitalize headings, including the name of the product.
  ...['h1', 'h2'].map((selector) => ({ selector, options: { uppercase: false } })),
  // One link a line.
  {
    selector: 'span.email-social',
    format: 'block',
    options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
  },
  // The renderer strips "mailto:", and only an address may remain, so this removes the subject.
  {
    selector: 'a[href^="mailto:"]',
    format: 'anchor',
    options: {
      linkBrackets: false,
      hideLinkHrefIfSameAsText: true,
      pathRewrite: (path: string) => path.replace(/\?.*/, ''),
    } as const,
  },
];

const project = resolve(import.meta.dirname, '../..');

/**
 * Renders the welcome email.
 *
 * @throws Error when its words have mistakes.
 */
export async function renderWelcome(): Promise<Template> {
  const words = readWelcome(project);
  return renderTemplate(
    words.subject,
    <WelcomeEmail
      words={words}
      address={blanks.address}
      unsubscribeAddress={blanks.unsubscribeAddress}
      siteUrl={blanks.siteUrl}
    />,
  );
}

/**
 * Renders an announcement as its file is now.
 *
 * @param values The deployment that its links and contacts belong to.
 * @throws Error when its fields have mistakes, a value is missing, or the message is too large.
 */
export async function renderAnnouncement(
  name: string,
  values: Values,
  root = project,
): Promise<Template & { preview: string; isDraft: boolean }> {
  const file = pathOf({ ...collections.announcements, name });
  const { fields, text } = readContent(root, file, collections.announcements);
  const { draft, subject, preview } = fields;
  const { forward, reason, unsubscribe, reply, replyLink } = readWelcome(root);
  const frame = { forward, reason, unsubscribe, unsubscribeUrl: blanks.unsubscribeUrl, reply, replyLink };
  const email = <AnnouncementEmail {...{ subject, preview, text, values }} {...frame} />;
  const template = await renderTemplate(subject, email);
  const size = Buffer.byteLength(template.html);
  if (size > LARGEST) {
    throw new Error(
      `${file} becomes a message of ${Math.ceil(size / 1024)} KB, but Gmail cuts messages off at 102 KB. Shorten it.`,
    );
  }
  return { ...template, preview, isDraft: draft };
}

function readWelcome(root: string) {
  return readContent(root, pathOf(collections.welcomeEmail), collections.welcomeEmail).fields;
}

async function renderTemplate(subject: string, email: ReactElement): Promise<Template> {
  return {
    subject,
    html: await render(email),
    text: await render(email, { plainText: true, htmlToTextOptions: { selectors } }),
  };
}
