import { parseFrontmatter } from '@astrojs/markdown-remark';
import type { Fault } from './fault.ts';

/** A content file, split into fields and text. */
export interface Source {
  fields: Record<string, unknown>;
  /** The text, after one empty line per line of fields, so that line numbers match. `undefined` without fields. */
  text: string | undefined;
  /** Why the file cannot be read; empty when it can. */
  faults: Fault[];
  /** Finds the line of a field, or of a line in its list; 1 when it is missing. */
  findLine(path: readonly PropertyKey[]): number;
}

/** A line of the fields: the words of a field, or of a line in its list. */
interface Part {
  field: string;
  isItem: boolean;
  words: string;
  line: number;
}

const shape = 'A field is a name, a colon, a space and its words, all on one line.';
const listShape = 'Begin every line of a list with two spaces, a hyphen and a space.';

/** The marks that Git leaves in a file after a conflict. */
const garbage: [RegExp, string][] = [
  [/\0/, 'The file is saved as UTF-16, which the site cannot read. Save the file as UTF-8.'],
  [
    /\uFFFD/,
    'A letter of this line is lost: visitors would see �. Type it again, and save the file as UTF-8.',
  ],
  [
    /[ÂÃ][\u0080-\u00BF]|â€/,
    'Visitors would see strange letters. Type them again, and save the file as UTF-8.',
  ],
  [
    /(?![\t\n\r])[\p{Cc}\p{Co}\p{Zl}\p{Zp}\uFFFC]/u,
    'This line has a character that browsers cannot show, such as a bullet from Word. Delete it, and type what is missing.',
  ],
  [
    /^(<{7}|>{7}) /m,
    'Two people changed this place. Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.',
  ],
];

/** Splits a content file as the build does, and remembers the line of each field. */
export function readSource(code: string): Source {
  const lines = code.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith('---'));
  const obstacle = findGarbage(code) ?? findGap(lines, end);
  if (obstacle) return { fields: {}, text: undefined, faults: [obstacle], findLine: () => 1 };
  const { parts, faults } = readParts(lines.slice(0, end));
  const readable = [...lines];
  for (const { line } of faults) {
    // In quotes, the words hide no other mistakes.
    const { field, isItem, words } = parts.find((part) => part.line === line) ?? {};
    readable[line - 1] = field ? `${isItem ? '  -' : `${field}:`} ${JSON.stringify(words)}` : '';
  }
  return {
    fields: parseFrontmatter(readable.join('\n')).frontmatter,
    text: lines.map((line, index) => (index > end ? line : '')).join('\n'),
    faults,
    findLine([field, index]) {
      const own = parts.filter((part) => part.field === field);
      return (own[typeof index === 'number' ? index + 1 : 0] ?? own[0])?.line ?? 1;
    },
  };
}

function findGarbage(code: string): Fault | undefined {
  const [sign, message = ''] = garbage.find(([pattern]) => pattern.test(code)) ?? [];
  return sign && { line: code.slice(0, code.search(sign)).split('\n').length, message };
}

/** Finds what is wrong with the two --- lines; `undefined` when they are correct. */
function findGap(lines: string[], end: number): Fault | undefined {
  if (lines[0]?.trimEnd() !== '---') {
    const message =
      'The first line must be three hyphens: ---. Below it are a line for each field, and another line ---.';
    return { line: 1, message };
  }
  if (lines[end]?.trimEnd() === '---') return undefined;
  const wrong = lines.findIndex((line, index) => index > 0 && /^\s*([-–—]+\s*)?$/.test(line));
  const message = 'The line below the fields must be three hyphens: ---.';
  return { line: wrong < 0 ? lines.length : wrong + 1, message };
}

function readParts(lines: string[]): { parts: Part[]; faults: Fault[] } {
  const parts: Part[] = [];
  const faults: Fault[] = [];
  for (const [index, code] of lines.entries()) {
    // The first line is ---.
    if (index === 0 || /^\s*(#|$)/.test(code)) continue;
    const line = index + 1;
    const last = parts.at(-1);
    const [, field, hyphen, words = ''] =
      /^(?:([\w-]+):|( {2}-))(?: [ \t]*(.*))?$/.exec(code.trimEnd()) ?? [];
    const isItem = Boolean(hyphen && last && (last.isItem || !last.words));
    if (field && parts.some((part) => part.field === field)) {
      faults.push({ line, message: `The field "${field}" appears twice. Remove one.` });
    } else if (field || isItem) {
      const part = { field: field ?? last!.field, isItem, words, line };
      parts.push(part);
      faults.push(...explainWords(part));
    } else {
      faults.push({ line, message: explainLine(code) });
    }
  }
  return { parts, faults };
}

/** Explains why a line is neither a field nor a line of a list. */
function explainLine(line: string): string {
  if (/^ *\t/.test(line)) return 'There is a tab at the beginning of the line. Use spaces.';
  if (/^[\s-]+[\w-]+:(\s|$)/.test(line)) {
    return 'The name of a field must begin at the left edge. Remove everything before it.';
  }
  if (/^\s*[-–—*+•·]/.test(line)) return listShape;
  if (/^\s/.test(line)) return `This line belongs to no field. ${shape} ${listShape}`;
  if (/^[\w-]+:/.test(line)) return 'Put a plain space after the colon.';
  return `This line is not a field. ${shape}`;
}

/** Explains why YAML would not read the words as typed. */
function explainWords({ field, isItem, words, line }: Part): Fault[] {
  if (/^"([^"\\]|\\["\\])*"$|^'([^']|'')*'$/.test(words)) return [];
  const refuse = (message: string, typed?: string): Fault[] => [{ line, typed, message }];
  if (/^".*\\/.test(words)) {
    return refuse(
      "A backslash \\ has a special meaning in double quotes. Remove it, or use 'single quotes'.",
      '\\',
    );
  }
  if (/^["']|^[^"]*[^"\d]"$/.test(words)) {
    return refuse(
      'A quote is opened and not closed, or closed too early. Words with an apostrophe go into "double quotes", words with double quotes into \'single quotes\'.',
    );
  }
  const quote = `Put the words in quotes: ${isItem ? '-' : `${field}:`} "…".`;
  const [sign] = /^([[\]{}@`%*&!|>,]|[-?:](?=\s|$))/.exec(words) ?? [];
  if (sign) return refuse(`The words begin with ${sign}, which means something else there. ${quote}`, sign);
  if (/(^|\s)#/.test(words)) return refuse(`A # after a space hides the rest of the line. ${quote}`, '#');
  if (!/:(\s|$)/.test(words)) return [];
  const isCurly = /^[“”„‘’]/.test(words);
  return refuse(
    `${isCurly ? 'Curly quotes do not work here.' : 'There is a second colon in the line.'} ${quote}`,
    ':',
  );
}
