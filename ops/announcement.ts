import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { root as project } from './values.ts';
import { makeUnsubscribeToken } from '../functions/_shared/unsubscribe-token.ts';
import { composeMessage, type Template } from '../functions/resend-email/compose-message.ts';
import { sendMessage } from '../functions/resend-email/send-message.ts';
import { isLoopback } from '../shared/formats.ts';
import type { Values } from '../shared/variables.ts';
import { collections, pathOf } from '../src/content-model/collections.ts';
import { checkContent } from '../src/content-model/check/check.ts';
import { formatProblems } from '../src/content-model/check/problem.ts';
import { suggest } from '../src/content-model/nearest.ts';
import { loadRenderer } from '../src/emails/load-renderer.ts';
import { findReservedHost } from '../src/config/placeholders.ts';
import { placeholders } from '../src/config/site.ts';
import { type Project, readTokenSecrets, requireValues } from './project.ts';
import { UsageError } from './command.ts';

/**
 * Renders an announcement as its file is now, with the links and contacts of a project. The template has blanks for what
 * differs between members, and `warnings` lists what may be a mistake. Throws an Error that says what to fix.
 */
export async function readAnnouncement(
  name: string,
  deployment: Project,
  { isTest = false, root = project } = {},
) {
  const files = globSync(pathOf(collections.announcements), { cwd: root });
  const names = files.map((path) => basename(path, '.mdx')).sort();
  if (!names.includes(name))
    throw new UsageError(
      `There is no announcement "${name}". ${suggest(name, names, 'content/announcements/ has')}`,
    );
  const file = pathOf({ ...collections.announcements, name });
  const { mistakes, warnings } = await checkContent(root);
  const ofFile = (all: typeof mistakes) => all.filter((mistake) => mistake.file === file);
  if (ofFile(mistakes).length > 0) throw new Error(formatProblems(ofFile(mistakes)));
  const isLocal = isLoopback(deployment.PUBLIC_SUPABASE_URL);
  const values: Values = isLocal ? { ...placeholders, ...deployment } : deployment;
  const { renderAnnouncement } = await loadRenderer();
  const { subject, html, text, isDraft } = await renderAnnouncement(name, values, root);
  if (isDraft && !isTest) {
    throw new UsageError(
      `${file} is a draft. You can send it only as a test message, with --to. When the words are final, remove the line "draft: true".`,
    );
  }
  const sample = isLocal ? undefined : findReservedHost(html);
  if (sample) throw new Error(`${name} shows a placeholder: replace ${sample} with your own.`);
  return {
    template: { subject, html, text },
    warnings: ofFile(warnings).map((one) => formatProblems([one])),
  };
}

/**
 * Sends a template to one address at once, without the outbox. The message is like that of a delivery, and its unsubscribe link
 * belongs to the member with this id. Throws a UsageError when a value is missing.
 */
export async function sendOnce(template: Template, email: string, memberId: string, project: Project) {
  const values = requireValues(
    project,
    ...(['PUBLIC_SITE_URL', 'PUBLIC_EMAIL_SENDER', 'PUBLIC_UNSUBSCRIBE_ADDRESS', 'RESEND_API_KEY'] as const),
  );
  const token = makeUnsubscribeToken(memberId, readTokenSecrets(project)[0]);
  const message = composeMessage(template, email, token, {
    sender: values.PUBLIC_EMAIL_SENDER,
    supabaseUrl: project.PUBLIC_SUPABASE_URL,
    unsubscribeAddress: values.PUBLIC_UNSUBSCRIBE_ADDRESS,
    siteOrigins: [values.PUBLIC_SITE_URL],
  });
  return sendMessage(message, randomUUID(), {
    resendBaseUrl: project.RESEND_BASE_URL,
    resendApiKey: values.RESEND_API_KEY,
  });
}
