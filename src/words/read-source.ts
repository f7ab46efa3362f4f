import { extractFrontmatter, parseFrontmatter } from '@astrojs/markdown-remark';
import { isCollection, isMap, isNode, isScalar, isSeq, parseDocument, type YAMLParseError } from 'yaml';

/** What is wrong at a line of a file, and what to do about it. */
export interface Fault {
  /** Counted from 1. */
  line: number;
  message: string;
}

/** A content file, taken apart. */
export interface Source {
  fields: Record<string, unknown>;
  /** The text, with an empty line for each of the fields, so that lines are those of the file. `undefined` without fields. */
  text: string | undefined;
  /** Why the fields cannot be read; empty when they can. */
  faults: Fault[];
  /** Finds the line of a field, or of a part of it; that of its file's beginning when it is not there. */
  findLine(path: readonly PropertyKey[]): number;
}

/** Takes a content file apart as the build does, and keeps where each field stands. */
export function readSource(code: string): Source {
  const raw = extractFrontmatter(code);
  if (raw === undefined || !/^\uFEFF?---/.test(code)) {
    return { fields: {}, text: undefined, faults: [findGap(code)], findLine: () => 1 };
  }
  const start = code.indexOf(raw);
  const lineAt = (offset: number) => code.slice(0, start + offset).split('\n').length;
  const document = parseDocument(raw, { prettyErrors: false });
  const faults: Fault[] = [];
  for (const error of document.errors) {
    const line = lineAt(findBeginning(document.contents, error));
    // What follows in the same line is the same mistake, seen again.
    if (faults.every((fault) => fault.line !== line)) faults.push({ line, message: explain(error, raw) });
  }
  for (const offset of findHidden(document.contents, raw)) {
    const message = 'A # after a space hides the rest of the line. Put the words in quotes.';
    faults.push({ line: lineAt(offset), message });
  }
  const text = code.slice(0, start + raw.length).replace(/[^\n]/g, '') + code.slice(start + raw.length + 3);

  return {
    fields: faults.length > 0 ? {} : readFields(code, faults),
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

/** Says what a file without readable fields lacks: all of it, or the line that ends them. */
function findGap(code: string): Fault {
  if (!/^\uFEFF?---\s*\n\s*\S/.test(code)) {
    const message =
      'The fields are missing. The file begins with a line ---, then a line for each field, then ---.';
    return { line: 1, message };
  }
  const end = code.search(/\n\s*(\n|$)/);
  return {
    line: code.slice(0, end).split('\n').length + 1,
    message: 'The second line --- is missing. It stands below the last field.',
  };
}

/** Reads the fields by the parser of the build, which has the last word. */
function readFields(code: string, faults: Fault[]): Record<string, unknown> {
  try {
    return parseFrontmatter(code).frontmatter;
  } catch (error) {
    const { mark, reason } = error as { mark?: { line: number }; reason?: string };
    faults.push({ line: (mark?.line ?? 0) + 1, message: `This cannot be read (${reason}). ${shape}` });
    return {};
  }
}

const shape = 'A field is a name, a colon, a space and its words; put words with signs in them in quotes.';

/** A quote or bracket that stays open is only noticed later, and belongs to the field that opens it. */
function findBeginning(contents: unknown, { pos: [offset] }: YAMLParseError): number {
  const values = isMap(contents) ? contents.items.map(({ value }) => value) : [];
  const around = values.find(
    (value) => isNode(value) && value.range && value.range[0] < offset && offset <= value.range[1],
  );
  const isOpened = isScalar(around) || (isCollection(around) && around.flow);
  return isOpened && around.range ? around.range[0] : offset;
}

/** Finds words that YAML takes for a comment, although they stand behind others. */
function findHidden(contents: unknown, raw: string): number[] {
  if (isMap(contents)) return contents.items.flatMap(({ value }) => findHidden(value, raw));
  if (isSeq(contents)) return contents.items.flatMap((item) => findHidden(item, raw));
  if (!isScalar(contents) || !contents.range) return [];
  const [start, end] = contents.range;
  return /^[ \t]+#/.test(raw.slice(end)) ? [start] : [];
}

const quoteClosed =
  'A quote is opened and not closed, or closed too early. Words with an apostrophe go into "double quotes".';

/** Says in plain words what YAML does not take. */
function explain({ code, message, pos }: YAMLParseError, raw: string): string {
  const line = raw.slice(raw.lastIndexOf('\n', pos[0] - 1) + 1).split('\n')[0] ?? '';
  // Words in quotes that hold the same quote go on behind its end, wherever the parser stumbles over them.
  if (/^\s*(-|[^:\s]+:)\s+['"]/.test(line) && /scalar at node end|compact mappings/.test(message))
    return quoteClosed;
  if (/^Flow /.test(message)) return 'A bracket is opened and not closed. Put words with brackets in quotes.';
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'There is a tab at the beginning of the line. Use spaces.';
    case 'DUPLICATE_KEY':
      return `The field "${/^\s*([^:]*)/.exec(line)?.[1]?.trim()}" is there twice. Remove one.`;
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'BLOCK_IN_FLOW':
      return 'There is a second colon in the line. Put the words after the first one in quotes.';
    case 'MULTILINE_IMPLICIT_KEY':
      return `A line without a field. ${shape}`;
    case 'BAD_SCALAR_START':
      return 'The words begin with a sign that means something else here. Put them in quotes.';
    case 'MISSING_CHAR':
      return /quote/.test(message)
        ? quoteClosed
        : `Something is missing in the line, most likely a colon or a quote. ${shape}`;
    default:
      return `This cannot be read (${message.split('\n')[0]}). ${shape}`;
  }
}
