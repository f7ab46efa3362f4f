import { resolve } from 'node:path';
import { render } from '@react-email/render';
import type { ReactElement } from 'react';
import { blanks } from '../../shared/fill-template.ts';
import type { Values } from '../../shared/variables.ts';
import { collections, pathOf } from '../content-model/collections.ts';
import { readContent } from '../content-model/files.ts';
import { AnnouncementEmail } from './AnnouncementEmail.tsx';
import { WelcomeEmail } from './WelcomeEmail.tsx';

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

/** Renders the welcome email. Rejects with an Error when its words have mistakes. */
export async function renderWelcome() {
  const words = readWelcome(project);
  return renderTemplate(words.subject, <WelcomeEmail words={words} {...blanks} />);
}

/**
 * Renders an announcement as its file is now. `values` has the links and contacts of a deployment. Rejects with an Error when its
 * fields have mistakes, or a value is missing.
 */
export async function renderAnnouncement(name: string, values: Values, root = project) {
  const file = pathOf({ ...collections.announcements, name });
  const { fields, text } = readContent(root, file, collections.announcements);
  const welcome = readWelcome(root);
  const email = <AnnouncementEmail fields={fields} text={text} values={values} welcome={welcome} />;
  return { ...(await renderTemplate(fields.subject, email)), isDraft: fields.draft };
}

function readWelcome(root: string) {
  return readContent(root, pathOf(collections.welcomeEmail), collections.welcomeEmail).fields;
}

async function renderTemplate(subject: string, email: ReactElement) {
  return {
    subject,
    html: await render(email),
    text: await render(email, { plainText: true, htmlToTextOptions: { selectors } }),
  };
}
