import { parseFrontmatter } from '@astrojs/markdown-remark';
import type { Root } from 'mdast';
import type { Collection } from '../collections.ts';
import { parseText } from '../syntax.ts';

/** What is wrong at a line of a file, and what to do about it. */
export interface Fault {
  /** Counted from 1. */
  line: number;
  /** The wrong part, as typed. */
  typed?: string;
  message: string;
  /** Whether it only looks wrong, which stops nothing. */
  isGuess?: boolean;
}

/** A fault with the path of its file, relative to the root of the project. */
export interface Mistake extends Fault {
  file: string;
}

/** A content file, split into fields and text. */
interface Source {
  /** The fields that can be read, with the facts as typed. */
  fields: Record<string, unknown>;
  /** The words of each field, and of each line in its list, as far as the line can be understood. */
  parts: { field: string; words: string; line: number }[];
  /** The text, after one empty line per line of fields, so that line numbers match. */
  text: string;
  /** The text as the build parses it, with facts filled in. `undefined` when the file cannot be read. */
  tree?: Root;
  /** Why the file, or a line of its fields, cannot be read. */
  faults: Fault[];
}

/** A content file with what must be in it. */
export interface Entry extends Source {
  /** Its path, relative to the root of the project. */
  file: string;
  collection: Collection;
}

/** What must not be in a file, by the message for it. */
const garbage: Record<string, RegExp> = {
  'Visitors would see strange letters. Type them again, and save the file as UTF-8.':
    /^.?\0|\uFFFD|[ÂÃ][\u0080-\u00BF]|â(€|‚¬|„¢|†|œ)|ï»¿|ðŸ/,
  'This line has a character that browsers cannot show, such as a bullet from Word. Delete it, and type what is missing.':
    /(?![\t\n\r])[\p{Cc}\p{Co}\p{Zl}\p{Zp}\uFFFC]/u,
  // The marks that Git leaves in a file.
  'Two people changed this place. Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.':
    /^([<>]{7} |={7}\r?$)/m,
};

/** Splits a content file as the build does. */
export function readSource(code: string): Source {
  const lines = code.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith('---'));
  const obstacle = findGarbage(code) ?? findGap(lines, end);
  if (obstacle) return { fields: {}, parts: [], text: '', faults: [obstacle] };
  const text = lines.map((line, index) => (index > end ? line : '')).join('\n');
  return { ...readParts(lines.slice(1, end)), text, tree: parseText(text) };
}

/** Finds the line of a field, or of a line in its list; 1 when it is missing. */
export function findLine({ parts }: Source, [field, index]: readonly PropertyKey[]): number {
  const [line = 1, ...items] = parts.filter((part) => part.field === field).map((part) => part.line);
  return items[Number(index)] ?? line;
}

function findGarbage(code: string): Fault | undefined {
  const [message, pattern] = Object.entries(garbage).find(([, sign]) => sign.test(code)) ?? [];
  return message ? { line: code.split(pattern!, 1)[0]!.split('\n').length, message } : undefined;
}

/** Finds what is wrong with the two --- lines; `undefined` when they are correct. */
function findGap(lines: string[], end: number): Fault | undefined {
  const hasStart = lines[0]?.trimEnd() === '---';
  if (hasStart && lines[end]?.trimEnd() === '---') return undefined;
  const wrong = lines.findIndex((line, index) => index > 0 && /^\s*([-–—]+\s*)?$/.test(line));
  const line = wrong < 0 ? lines.length : wrong + 1;
  return { line: hasStart ? line : 1, message: 'The lines above and below the fields must be ---.' };
}

/** Reads the lines between the two --- lines. */
function readParts(lines: string[]): Pick<Source, 'fields' | 'parts' | 'faults'> {
  const fields: Source['fields'] = {};
  const parts: Source['parts'] = [];
  const faults: Fault[] = [];
  // The field whose list may continue.
  let list: string | undefined;
  for (const [index, code] of lines.entries()) {
    if (/^\s*(#|$)/.test(code)) continue;
    const line = index + 2;
    const [, start = '', name, typed = ''] = /^(([\w-]+):| {2}-)(?: [ \t]*(.*))?$/.exec(code.trimEnd()) ?? [];
    const field = start ? (name ?? list) : undefined;
    const isRepeated = name && parts.some((part) => part.field === name);
    const value = readValue(typed);
    const message = isRepeated
      ? `The field "${name}" appears twice. Remove one.`
      : field
        ? explainWords(typed, value, start.trim())
        : explainLine(code);
    if (message) faults.push({ line, message });
    if (!field || isRepeated) continue;
    parts.push({ field, words: typeof value === 'string' && !message ? value : typed, line });
    if (name) list = typed ? undefined : name;
    // A faulty line of a list keeps its place, so that those below it keep their numbers.
    if (!name) fields[field] = [...((fields[field] as unknown[] | null) ?? []), message ? '…' : value];
    else if (!message) fields[field] = value;
  }
  return { fields, parts, faults };
}

/** Returns what YAML reads; `undefined` when it cannot. */
function readValue(typed: string): unknown {
  try {
    return parseFrontmatter(`---\nvalue: ${typed}\n---`).frontmatter.value;
  } catch {
    return undefined;
  }
}

/** Explains why a line is neither a field nor a line of a list. */
function explainLine(line: string): string {
  if (/^[\w-]+:/.test(line)) return 'Put a plain space after the colon.';
  return 'This line is not a field. A field begins at the left edge, with a name, a colon and a space, and all its words are on the same line. Begin every line of a list with two spaces, a hyphen and a space.';
}

/** Explains why YAML does not read the words after a field or a hyphen as typed. */
function explainWords(words: string, value: unknown, start: string): string | undefined {
  const isQuoted = /^"([^"\\]|\\["\\])*"$|^'([^']|'')*'$/.test(words);
  const isOther = ['number', 'boolean', 'object'].includes(typeof value) && (value !== null || !words);
  if (isQuoted || isOther || value === words) return undefined;
  if (/^["']/.test(words)) {
    return 'The quotation marks do not fit. Put words with an apostrophe in "double quotes", and words with double quotes or a backslash in \'single quotes\'.';
  }
  const [sign = words] = /^[[\]{}@`%*&!|>?,-]|(?<=^|\s)#|:(?=\s|$)/.exec(words) ?? [];
  return `The ${sign} has a special meaning there. Put all words in straight quotes: ${start} "…".`;
}
