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
import { explainLine, listShape, shape } from './explain-line.ts';
import type { Fault } from './fault.ts';

/** A content file, split into fields and text. */
export interface Source {
  fields: Record<string, unknown>;
  /** The text, after one empty line per line of fields, so that line numbers match. `undefined` without fields. */
  text: string | undefined;
  /** Why the fields cannot be read; empty when they can. */
  faults: Fault[];
  /** Finds the line of a field, or of a part of it; 1 when it is missing. */
  findLine(path: readonly PropertyKey[]): number;
}

/** Splits a content file as the build does, and remembers the line of each field. */
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
    // YAML reads an indented line as part of the value above it, even if it looks like a field.
    const near = [2, beginning + 1].find((line) => /^ +\w+:\s/.test(lines[line - 1] ?? ''));
    const line = near ?? beginning;
    add(line, explain(error, lines[line - 1] ?? ''));
  } else if (document.contents === null) add(2, 'There are no fields between the lines ---.');
  else if (!isMap(document.contents)) add(2);
  else {
    visit(document, {
      Node(_, node) {
        const [first = 0, end = 0] = node.range ?? [];
        if (isAlias(node) || node.anchor || node.tag || (isCollection(node) && node.flow)) add(lineAt(first));
        if (!isScalar(node)) return;
        // Unquoted words continue on the next line, even if it looks like a line of a list.
        const swallowed = node.type === 'PLAIN' ? raw.slice(first, end).search(/\n\s*-\s/) : -1;
        if (swallowed >= 0) add(lineAt(first + swallowed) + 1, listShape);
        else if (/^[ \t]*#/.test(raw.slice(end))) {
          add(
            lineAt(first),
            'A # after a space hides the rest of the line. Put all the words in quotes: "…".',
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

/** Finds out what is wrong with the two lines ---; `undefined` when they are right. */
function findGap(code: string, raw: string | undefined): Fault | undefined {
  const lines = code.replace(/^\uFEFF/, '').split(/\r?\n/);
  const order = 'The file begins with a line ---, then a line for each field, then another line ---.';
  if (!code.trim()) return { line: 1, message: `The file is empty. ${order}` };
  const [first = ''] = lines;
  if (first.trimEnd() !== '---') {
    if (/^[-–—=+]+\s*$/.test(first))
      return { line: 1, message: 'The first line must be three hyphens: ---.' };
    const message = lines.includes('---')
      ? 'The first line must be ---. Remove what is above it.'
      : `The line --- above the fields is missing. ${order}`;
    return { line: 1, message };
  }
  const second = lines.findIndex((line, index) => index > 0 && line.startsWith('---'));
  if (raw !== undefined && lines[second]?.trimEnd() === '---') return undefined;
  const dashes = lines.findIndex((line, index) => index > 0 && /^\s*[-–—]+\s*$/.test(line));
  if (dashes > 0)
    return { line: dashes + 1, message: 'The line below the fields must be three hyphens: ---.' };
  const end = lines.findIndex((line, index) => index > 0 && !line.trim());
  const message = 'The second line --- is missing. Add it below the last field.';
  return { line: end > 0 ? end + 1 : lines.length, message };
}

/** Finds where the mistake begins: YAML notices an unclosed quote or bracket only later, in another field. */
function findBeginning(contents: unknown, { pos: [offset] }: YAMLParseError): number {
  const values = isMap(contents) ? contents.items.map(({ value }) => value) : [];
  const around = values.find(
    (value) => isNode(value) && value.range && value.range[0] < offset && offset <= value.range[1],
  );
  const isOpened = isScalar(around) || (isCollection(around) && around.flow);
  return isOpened && around.range ? around.range[0] : offset;
}

/** Explains errors that the line alone does not show; `undefined` for all others. */
function explain({ code }: YAMLParseError, line: string): string | undefined {
  switch (code) {
    case 'DUPLICATE_KEY':
      return `The field "${line.split(':')[0]?.trim()}" appears twice. Remove one.`;
    case 'BAD_DQ_ESCAPE':
      return "A backslash \\ has a meaning of its own in double quotes. Remove it, or use 'single quotes'.";
    case 'MULTIPLE_DOCS':
      return `There is a line --- between the fields. Remove it. ${shape}`;
    default:
      return undefined;
  }
}
