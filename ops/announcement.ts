import { root as project } from './values.ts';
import { isLoopback, type Values } from '../shared/variables.ts';
import { collections, pathOf } from '../src/content-model/collections.ts';
import { checkContent } from '../src/content-model/check/check.ts';
import { formatProblems } from '../src/content-model/check/problem.ts';
import { listItems } from '../src/content-model/files.ts';
import { suggest } from '../shared/nearest.ts';
import { loadRenderer } from '../src/emails/load-renderer.ts';
import { findReservedHost } from '../src/config/environment.ts';
import { placeholders } from '../src/config/site.ts';
import type { Project } from './project.ts';
import { UsageError } from './command.ts';

/**
 * Renders an announcement as its file is now, with the links and contacts of a project. The message is the template as the
 * database stores it: JSON with blanks for what differs between members. Throws an Error that says what to fix.
 */
export async function readAnnouncement(name: string, deployment: Project, root = project) {
  if (!listAnnouncements(root).includes(name)) throw explainUnknown(name, root);
  const file = pathOf({ ...collections.announcements, name });
  const { mistakes } = await checkContent(root);
  const its = mistakes.filter((mistake) => mistake.file === file);
  if (its.length > 0) throw new Error(formatProblems(its));
  const isLocal = isLoopback(deployment.PUBLIC_SUPABASE_URL);
  const values: Values = isLocal ? { ...placeholders, ...deployment } : deployment;
  const { renderAnnouncement } = await loadRenderer();
  const { subject, html, text, isDraft } = await renderAnnouncement(name, values, root);
  if (isDraft) {
    throw new UsageError(
      `${file} is a draft, and a draft cannot be sent. When the words are final, remove the line "draft: true".`,
    );
  }
  const placeholder = isLocal ? undefined : findReservedHost(name, html)?.hint;
  if (placeholder) throw new Error(`${name} shows a placeholder: ${placeholder}.`);
  return { subject, message: JSON.stringify({ subject, html, text }) };
}

/** Says that an announcement was not found or not queued, and which one was probably meant. */
export function explainUnknown(name: string, root = project): UsageError {
  const names = listAnnouncements(root);
  if (names.includes(name))
    return new UsageError(`${name} has not been queued yet. "announce ${name}" queues it.`);
  const known =
    names.length > 0
      ? suggest(name, names, 'The announcements are')
      : 'Write one in content/announcements/ (docs/editing.md).';
  return new UsageError(`There is no announcement "${name}". ${known}`);
}

/** Lists the announcements that are written, by the names of their files. */
export function listAnnouncements(root = project): string[] {
  return listItems(root, collections.announcements);
}
