import { extractFrontmatter, parseFrontmatter } from '@astrojs/markdown-remark';
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  parseDocument,
  visit,
  type YAMLParseError,
} from 'yaml';
import { explainLine, shape } from './explain-line.ts';
import type { Fault } from './fault.ts';

/** A content file, taken apart. */
export interface Source {
  fields: Record<string, unknown>;
  /** The text, with an empty line for each of the fields, so that lines are those of the file. `undefined` without fields. */
  text: string | undefined;
  /** Why the fields cannot be read; empty when they can. */
  faults: Fault[];
  /** Finds the line of a field, or of a part of it; that of its file's beginning when it is missing. */
  findLine(path: readonly PropertyKey[]): number;
}

/** Takes a content file apart as the build does, and keeps where each field stands. */
export function readSource(code: string): Source {
  const raw = extractFrontmatter(code);
  const gap = findGap(code, raw);
  if (gap || raw === undefined) {
    return { fields: {}, text: undefined, faults: gap ? [gap] : [], findLine: () => 1 };
  }
  const start = code.indexOf(raw);
  const lines = code.split('\n');
  const lineAt = (offset: number) => code.slice(0, start + offset).split('\n').length;
  const document = parseDocument(raw, { prettyErrors: false });
  const faults: Fault[] = [];
  const add = (line: number, message = explainLine(lines[line - 1] ?? '')) =>
    void faults.push({ line, message });

  const [error] = document.errors;
  if (error) {
    const beginning = lineAt(findBeginning(document.contents, error));
    // Words go on in a line that begins with spaces, and so swallow a field that does.
    const near = [2, beginning + 1].find((line) => /^ +\w+:\s/.test(lines[line - 1] ?? ''));
    const line = near ?? beginning;
    add(line, explain(error, lines[line - 1] ?? ''));
  } else if (document.contents === null) add(2, 'There are no fields between the lines ---.');
  else if (!isMap(document.contents)) add(2);
  else {
    visit(document, {
      Node(_, node) {
        if (isAlias(node) || node.anchor || node.tag || (isCollection(node) && node.flow))
          add(lineAt(node.range?.[0] ?? 0));
        const [first = 0, end = 0] = node.range ?? [];
        // Words without quotes go on in the next line, and so swallow what is a line of a list to the eye.
        const swallowed =
          isScalar(node) && node.type === 'PLAIN' ? raw.slice(first, end).search(/\n\s*-\s/) : -1;
        if (swallowed >= 0)
          add(
            lineAt(first + swallowed) + 1,
            'The hyphens of a list stand one below the other, with two spaces before each.',
          );
        else if (isScalar(node) && /^[ \t]*#/.test(raw.slice(node.range?.[1]))) {
          add(
            lineAt(node.range?.[0] ?? 0),
            'A # after a space hides the rest of the line. Put the words in quotes.',
          );
        }
      },
    });
  }
  let fields: Source['fields'] = {};
  try {
    // The parser of the build has the last word.
    if (faults.length === 0) fields = parseFrontmatter(code).frontmatter;
  } catch (refused) {
    add(((refused as { mark?: { line: number } }).mark?.line ?? 0) + 1);
  }
  const text = code.slice(0, start + raw.length).replace(/[^\n]/g, '') + code.slice(start + raw.length + 3);

  return {
    fields,
    text,
    faults,
    findLine(path) {
      const [first, ...inside] = path;
      if (!isMap(document.contents) || first === undefined) return 1;
      const pair = document.contents.items.find(({ key }) => isScalar(key) && key.value === first);
      const part = inside.length > 0 ? document.getIn(path, true) : pair?.key;
      return lineAt((isNode(part) && part.range?.[0]) || (isNode(pair?.key) && pair.key.range?.[0]) || 0);
    },
  };
}

/** Says what stands where the two lines --- belong. */
function findGap(code: string, raw: string | undefined): Fault | undefined {
  const lines = code.replace(/^\uFEFF/, '').split(/\r?\n/);
  const order = 'The file begins with a line ---, then a line for each field, then another line ---.';
  if (!code.trim()) return { line: 1, message: `The file is empty. ${order}` };
  const [first = ''] = lines;
  if (first.trimEnd() !== '---') {
    if (/^[-–—=+]+\s*$/.test(first))
      return { line: 1, message: 'The first line must be three hyphens: ---.' };
    const message = lines.includes('---')
      ? 'Something stands above the first line ---. Remove it.'
      : `The line --- above the fields is missing. ${order}`;
    return { line: 1, message };
  }
  const second = lines.findIndex((line, index) => index > 0 && line.startsWith('---'));
  if (raw !== undefined && lines[second]?.trimEnd() === '---') return undefined;
  const dashes = lines.findIndex((line, index) => index > 0 && /^\s*[-–—]+\s*$/.test(line));
  if (dashes > 0)
    return { line: dashes + 1, message: 'The line below the fields must be three hyphens: ---.' };
  const end = lines.findIndex((line, index) => index > 0 && !line.trim());
  const message = 'The second line --- is missing. It stands below the last field.';
  return { line: end > 0 ? end + 1 : lines.length, message };
}

/** A quote or bracket that stays open is only noticed later, and belongs to the field that opens it. */
function findBeginning(contents: unknown, { pos: [offset] }: YAMLParseError): number {
  const values = isMap(contents) ? contents.items.map(({ value }) => value) : [];
  const around = values.find(
    (value) => isNode(value) && value.range && value.range[0] < offset && offset <= value.range[1],
  );
  const isOpened = isScalar(around) || (isCollection(around) && around.flow);
  return isOpened && around.range ? around.range[0] : offset;
}

/** Says what YAML does not take, where the code of the error knows more than the line shows. */
function explain({ code }: YAMLParseError, line: string): string | undefined {
  switch (code) {
    case 'DUPLICATE_KEY':
      return `The field "${line.split(':')[0]?.trim()}" is there twice. Remove one.`;
    case 'BAD_DQ_ESCAPE':
      return "A backslash \\ has a meaning of its own in double quotes. Remove it, or use 'single quotes'.";
    case 'MULTIPLE_DOCS':
      return `A line --- stands among the fields. ${shape}`;
    default:
      return undefined;
  }
}
