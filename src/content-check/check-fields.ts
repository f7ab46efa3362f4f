import type { z } from 'astro/zod';
import { fillFacts } from '../facts.ts';
import { findLeftovers, tag, withoutNotes } from './check-words.ts';
import type { Collection } from './collections.ts';
import type { Fault } from './fault.ts';
import { findNearest, suggest } from './nearest.ts';
import type { Source } from './read-source.ts';

/** Lists what is wrong with the fields of a file. */
export function checkFields({ fields, faults, findLine }: Source, { schema }: Collection): Fault[] {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(fields).filter((field) => !known.includes(field));
  const meant = unknown.map((field) => findNearest(field, known));
  // Any line that cannot be read may be the missing field, or belong to the field above it.
  const unread = faults.length > 0 ? [1, ...faults.flatMap(({ line }) => [line - 1, line])] : [];
  const explain: z.core.$ZodErrorMap = (issue) => {
    const [field] = issue.path ?? [];
    const purpose = schema.shape[String(field)]?.meta()?.description;
    return `${nameField(issue.path)} ${refuse(issue)}. What belongs there: ${purpose}`;
  };
  const issues = schema.safeParse(fields, { error: explain }).error?.issues ?? [];
  return [
    ...unknown.map((field) => ({
      line: findLine([field]),
      message: `Unknown field "${field}". ${suggest(field, known, 'The fields of this file are')}`,
    })),
    ...issues
      .filter(({ code }) => code !== 'unrecognized_keys')
      // A misspelled field is one mistake, not two.
      .filter(({ path }) => !meant.includes(String(path[0])) && !unread.includes(findLine(path)))
      .map(({ path, message }) => ({ line: findLine(path), message })),
    ...known.flatMap((field) =>
      [fields[field]].flat().flatMap((value, index) => {
        const path = Array.isArray(fields[field]) ? [field, index] : [field];
        return typeof value === 'string' ? checkPlainWords(value, findLine(path)) : [];
      }),
    ),
  ];
}

/** Returns the name of a field, or of a line in its list, such as `audience, line 2`. */
function nameField([field, index]: PropertyKey[] = []): string {
  return typeof index === 'number' ? `${String(field)}, line ${index + 1}` : String(field);
}

function refuse(issue: z.core.$ZodRawIssue): string {
  const { input } = issue;
  if (input === undefined) return 'is missing between the two lines ---';
  if (input === null || (input as { length?: number }).length === 0) return 'is empty';
  switch (issue.code) {
    case 'too_small':
      return `must be ${issue.minimum} or more`;
    case 'too_big':
      if (issue.origin !== 'string') return 'is too large';
      return `is longer than ${issue.maximum} characters (it has ${String(input).trim().length})`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'custom':
      return 'must contain a date that exists, such as January 2025 or 14 January 2025';
    default:
      return `must be ${kinds[issue.expected as keyof typeof kinds]}`;
  }
}

const kinds = {
  array: 'a list: one line for each, with two spaces, a hyphen and a space before it',
  boolean: 'true or false, without quotes',
  int: 'a whole number, such as 3, without quotes',
  number: 'a whole number, such as 3, without quotes',
  string: 'words: put them in "double quotes"',
};

/** Formatting that works only in texts. */
const formatting = [
  /(?<!\w)(\*\*?|__?|~~|`)(?=\S)[^\n]*?\S\1(?![.(]?\w)/,
  /!?\[[^\]]*\]\([^)]*\)/,
  /^#+ .*/,
  tag,
  /\\[*_#[\]<>{}()`~\\!?]/,
];

/** Lists what visitors would see as code or as unfinished in a field, which is plain words. */
function checkPlainWords(value: string, line: number): Fault[] {
  const formatted = formatting.flatMap((pattern) => pattern.exec(value)?.[0] ?? []);
  const cure = 'A field is plain words, without bold, links or code.';
  return [
    ...formatted.map((typed) => ({ typed, line, message: `Visitors would see ${typed} as typed. ${cure}` })),
    // A star may belong to a note, and an underscore to a name. A field cannot escape them.
    ...findLeftovers(fillFacts(withoutNotes(value).replace(/(?<!\w)_+(?=\p{Ll})/gu, '')), line, false),
  ];
}
