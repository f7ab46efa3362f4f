import { parseFrontmatter } from '@astrojs/markdown-remark';
import type { Root } from 'mdast';
import type { Collection } from '../collections.ts';
import { parseText } from '../syntax.ts';
import type { Problem } from './problem.ts';

/** A content file, split into fields and text, with what must be in it. */
export interface Entry {
  /** Its path, relative to the root of the project. */
  file: string;
  collection: Collection;
  /** The lines from the first --- to the one before the second. Those that cannot be read are empty. */
  head: string[];
  /** The fields on the other lines, with the facts as typed. */
  fields: Record<string, unknown>;
  /** The text, after one empty line per line of fields, so that line numbers match. */
  text: string;
  /** The text as the build parses it, with facts filled in. `undefined` when the file cannot be read. */
  tree?: Root;
  /** Why the file, or a line of its fields, cannot be read. */
  problems: Problem[];
}

/** Why a file cannot be read, by what is in it. */
const unreadable: Record<string, RegExp> = {
  // UTF-8 that was read or saved as something else, and characters that browsers cannot show, such as a bullet from Word.
  'Visitors would see strange letters. Delete them, type what is missing, and save the file as UTF-8.':
    /^.?\0|[ÂÃ][\u0080-\u00BF]|â(€|‚¬|„¢|†|œ)|ï»¿|ðŸ|(?![\t\n\r])[\p{Cc}\p{Co}\p{Zl}\p{Zp}\uFFFC\uFFFD]/u,
  // The marks that Git leaves in a file, of which an editor may have removed one.
  'Two people changed this place. Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.':
    /^(<{7} |={7}$|>{7} )/m,
  'The fields must be between two lines ---. The first one must be the first line of the file, at its left edge.':
    /^(?!(\uFEFF|\s*\n)?---\s*\n([^]*\n)?---\s*(\n|$))/,
};

/** Splits a content file as the build does. */
export function readSource(code: string): Omit<Entry, 'file' | 'collection'> {
  for (const [message, pattern] of Object.entries(unreadable)) {
    const start = code.search(pattern);
    const line = code.slice(0, start).split('\n').length;
    if (start >= 0) return { head: [], fields: {}, text: '', problems: [{ line, message }] };
  }
  const lines = code.replace(/^\uFEFF/, '').split(/\r?\n/);
  const [start = 0, end = 0] = [...lines.keys()].filter((index) => lines[index]!.trimEnd() === '---');
  const problems: Problem[] = [];
  const head: string[] = [];
  for (const [index, line] of lines.slice(0, end).entries()) {
    const message = index > start && line.trim() && explainLine(line, head.slice(start + 1));
    if (message) problems.push({ line: index + 1, message });
    head.push(message ? '' : line);
  }
  const fields = parseFrontmatter(`${head.join('\n')}\n---`).frontmatter;
  const text = lines.map((line, index) => (index > end ? line : '')).join('\n');
  return { head, fields, text, tree: parseText(text), problems };
}

/** Explains why the build would not read a line of the fields as typed; `undefined` when it would. */
function explainLine(line: string, above: string[]): string | undefined {
  // Nobody needs words that begin on the next line, after > or |.
  const [, mark = '', typed = ''] = /^([\w-]+:| {2}-)(?: +(?![>|]-?$)(.*?))? *$/.exec(line) ?? [];
  const isItem = mark === '  -';
  if (!mark || (isItem && !/^( {2}-.*|[\w-]+: *)$/.test(above.findLast((one) => one.trim()) ?? ''))) {
    if (/^\s*#/.test(line)) return 'A comment does not fit here. Delete it.';
    const visible = line.replace(/[^\S ]|\p{Cf}/gu, '');
    if (visible !== line && /^([\w-]+:| *-)/.test(visible))
      return 'There is an invisible character before the words, such as a tab. Delete everything before them, and type it again.';
    return 'This line is not a field. A field begins at the left edge, with a name, a colon and a space. Its words are on the same line, or in a list: a line for each, with two spaces, a hyphen and a space before it.';
  }
  if (!isItem && above.some((other) => other.startsWith(mark)))
    return `The field "${mark.slice(0, -1)}" appears twice. Remove one.`;
  if (isReadAsTyped(typed)) return undefined;
  const words = typed.replace(/^["'“”„‘]([^"“”„]*( ["“„].*)?)["'“”’]$|^["'](?=[^"']*$)/, '$1');
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
  const items = [...head.keys()].filter((at) => at > above && head[at]!.startsWith('  -'));
  return Math.max(0, index === undefined ? above : items[Number(index)]!) + 1;
}
