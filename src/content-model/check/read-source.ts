import { parseFrontmatter } from '@astrojs/markdown-remark';
import type { Root } from 'mdast';
import type { Collection } from '../collections.ts';
import { parseText } from '../syntax.ts';
import type { Problem } from './problem.ts';

/** A content file, split into fields and text. */
interface Source {
  /** The lines from the first --- to the one before the second. */
  head: string[];
  /** The fields, with the facts as typed. None when a line of them cannot be read. */
  fields: Record<string, unknown>;
  /** The text, after one empty line per line of fields, so that line numbers match. */
  text: string;
  /** The text as the build parses it, with facts filled in. `undefined` when the file cannot be read. */
  tree?: Root;
  /** Why the file, or a line of its fields, cannot be read. */
  problems: Problem[];
}

/** A content file with what must be in it. */
export interface Entry extends Source {
  /** Its path, relative to the root of the project. */
  file: string;
  collection: Collection;
}

/** UTF-8 that was read or saved as something else, and characters that browsers cannot show, such as a bullet from Word. */
const garbage =
  /^.?\0|[ÂÃ][\u0080-\u00BF]|â(€|‚¬|„¢|†|œ)|ï»¿|ðŸ|(?![\t\n\r])[\p{Cc}\p{Co}\p{Zl}\p{Zp}\uFFFC\uFFFD]/u;

/** Splits a content file as the build does. */
export function readSource(code: string): Source {
  const lines = code.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  const start = code.search(garbage);
  if (start >= 0) {
    const message =
      'Visitors would see strange letters. Delete them, type what is missing, and save the file as UTF-8.';
    return refuseFile(message, code.slice(0, start).split('\n').length);
  }
  // The marks that Git leaves in a file.
  const conflict = lines.findIndex((line) => /^<{7} /.test(line));
  if (conflict >= 0) {
    const message =
      'Two people changed this place. Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.';
    return refuseFile(message, conflict + 1);
  }
  if (lines[0]?.trimEnd() !== '---' || end < 0)
    return refuseFile('The fields must be between two lines ---. The first of them is the first line.', 1);
  const head = lines.slice(0, end);
  const problems = head.flatMap((line, index) => {
    const message = index > 0 && line.trim() && explainLine(line, head.slice(1, index));
    return message ? [{ line: index + 1, message }] : [];
  });
  const fields = problems.length > 0 ? {} : parseFrontmatter(`${head.join('\n')}\n---`).frontmatter;
  const text = lines.map((line, index) => (index > end ? line : '')).join('\n');
  return { head, fields, text, tree: parseText(text), problems };
}

function refuseFile(message: string, line: number): Source {
  return { head: [], fields: {}, text: '', problems: [{ line, message }] };
}

/** Explains why the build would not read a line of the fields as typed; `undefined` when it would. */
function explainLine(line: string, above: string[]): string | undefined {
  const [, mark = '', typed = ''] = /^([\w-]+:| {2}-)(?: +(.*?))? *$/.exec(line) ?? [];
  const isItem = mark === '  -';
  if (!mark || (isItem && !/^( {2}-.*|[\w-]+: *)$/.test(above.findLast((one) => one.trim()) ?? '')))
    return 'This line is not a field. A field begins at the left edge, with a name, a colon and a space. Its words are on the same line, or in a list: a line for each, with two spaces, a hyphen and a space before it.';
  if (!isItem && above.some((other) => other.startsWith(mark)))
    return `The field "${mark.slice(0, -1)}" appears twice. Remove one.`;
  if (isReadAsTyped(typed)) return undefined;
  const words = typed.replace(/^(["'])(.*)\1$|^["'](?=[^"']*$)/, '$2');
  const quoted = /["\\]/.test(words) ? `'${words.replaceAll("'", "''")}'` : `"${words}"`;
  return `Symbols have a special meaning there. Put all words in straight quotes: ${mark} ${quoted}`;
}

/** Returns whether the build reads words, a number, true or false as typed. */
function isReadAsTyped(typed: string): boolean {
  try {
    const { value } = parseFrontmatter(`---\nvalue: ${typed}\n---`).frontmatter;
    if (typeof value !== 'string') return !typed || typeof value !== 'object';
    return value === typed || /^("([^"\\]|\\.)*"|'([^']|'')*')$/.test(typed);
  } catch {
    return false;
  }
}

/** Finds the line of a field, or of a line in its list; 1 when it is missing. */
export function findLine(head: string[], [field, index]: readonly PropertyKey[]): number {
  const above = head.findIndex((line) => line.startsWith(`${String(field)}:`));
  return Math.max(above + 1 + (index === undefined ? 0 : Number(index) + 1), 1);
}
