import type { Root } from 'mdast';
import { isMap, isNode, LineCounter, parseDocument, Scalar, visit } from 'yaml';
import type { Collection } from '../collections.ts';
import { parseText } from '../syntax.ts';
import type { Problem } from './problem.ts';

/** A content file, split into fields and text. */
interface Source {
  /** The fields that can be read, with the facts as typed. */
  fields: Record<string, unknown>;
  /** The words in the fields. */
  words: { words: string; line: number }[];
  /** Finds the line of a field, or of a line in its list; 1 when it is missing. */
  findLine: (path: readonly PropertyKey[]) => number;
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
  if (obstacle) return { fields: {}, words: [], findLine: () => 1, text: '', problems: [obstacle] };
  const text = lines.map((line, index) => (index > end ? line : '')).join('\n');
  return { ...readFields(['', ...lines.slice(1, end)]), text, tree: parseText(text) };
}

function findGarbage(code: string): Problem | undefined {
  const [message, pattern] = Object.entries(garbage).find(([, sign]) => sign.test(code)) ?? [];
  return message ? { line: code.split(pattern!, 1)[0]!.split('\n').length, message } : undefined;
}

/** Finds what is wrong with the two --- lines; `undefined` when they are correct. */
function findGap(lines: string[], end: number): Problem | undefined {
  const hasStart = lines[0]?.trimEnd() === '---';
  if (hasStart && lines[end]?.trimEnd() === '---') return undefined;
  const wrong = lines.findIndex((line, index) => index > 0 && /^\s*([-–—]+\s*)?$/.test(line));
  const line = wrong < 0 ? lines.length : wrong + 1;
  return { line: hasStart ? line : 1, message: 'The lines above and below the fields must be ---.' };
}

/** Reads the fields. The first of the lines is empty, in place of the line ---. */
function readFields(lines: string[]): Pick<Source, 'fields' | 'words' | 'findLine' | 'problems'> {
  const counter = new LineCounter();
  const document = parseDocument(lines.join('\n'), {
    lineCounter: counter,
    customTags: ['timestamp'],
    logLevel: 'silent',
  });
  const lineOf = (offset = 0) => Math.max(counter.linePos(offset).line, 2);
  const words: Source['words'] = [];
  const misread = [...document.errors, ...document.warnings].map(({ pos: [offset] }) => offset);
  visit(document, {
    Scalar(key, { value, range, type, anchor, tag, comment }) {
      const [start = 0, end = 0] = range ?? [];
      // Words after #, & or ! would get lost.
      if (anchor || tag || (comment && type === 'PLAIN')) misread.push(start);
      // Quotes that do not end are noticed at the end of the file.
      if (type?.startsWith('QUOTE'))
        misread.forEach((offset, index) => offset >= start && offset <= end && (misread[index] = start));
      if (key !== 'key' && typeof value === 'string') words.push({ words: value, line: lineOf(start) });
    },
    Alias(_, { range }) {
      misread.push(range?.[0] ?? 0);
      return Object.assign(new Scalar('…'), { range });
    },
  });
  const isEmpty = !document.contents || isMap(document.contents);
  if (!isEmpty) misread.push(document.range[0]);
  const fields = (isEmpty ? document.toJS() : {}) as Source['fields'];
  const problems = [...new Set(misread.map(lineOf))].map((line) => ({
    line,
    message: explainLine(lines[line - 1] ?? '', lines.slice(0, line - 1)),
  }));
  const findLine = (path: readonly PropertyKey[]) => {
    const node = document.getIn(path, true);
    return isNode(node) ? lineOf(node.range?.[0]) : 1;
  };
  return { fields: { ...fields }, words, findLine, problems };
}

/** Explains why a line of the fields cannot be read as typed. */
function explainLine(line: string, above: string[]): string {
  const [, start = '', typed = ''] = /^([\w-]+ ?:| {2,}-)[ \t]+(\S.*)$/.exec(line) ?? [];
  if (!start)
    return 'This line is not a field. A field begins at the left edge, with a name, a colon and a space. Its words are on the same line, or in a list: a line for each, with two spaces, a hyphen and a space before it.';
  if (start.endsWith(':') && above.some((other) => other.startsWith(start)))
    return `The field "${start.slice(0, -1)}" appears twice. Remove one.`;
  const words = typed.trimEnd().replace(/^(["'])(.*)\1$|^["'](?=[^"']*$)/, '$2');
  const quoted = /["\\]/.test(words) ? `'${words.replaceAll("'", "''")}'` : `"${words}"`;
  return `Symbols have a special meaning there. Put all words in straight quotes: ${start} ${quoted}`;
}
