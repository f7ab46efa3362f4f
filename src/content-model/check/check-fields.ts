import type { z } from 'astro/zod';
import { findNearest, suggest } from '../../../shared/nearest.ts';
import { fillFacts } from '../facts.ts';
import { checkWords } from './check-words.ts';
import { type Entry, type Fault, findLine } from './read-source.ts';

/** Lists what is wrong with the fields of a file. */
export function checkFields(entry: Entry): Fault[] {
  const { fields, parts, faults, collection } = entry;
  const { schema } = collection;
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(fields).filter((field) => !known.includes(field));
  const meant = unknown.map((field) => findNearest(field, known));
  const { issues = [] } = schema.safeParse(fields, { reportInput: true }).error ?? {};
  return [
    ...unknown.map((field) => ({
      line: findLine(entry, [field]),
      message: `Unknown field "${field}". ${suggest(field, known, 'The fields of this file are')}`,
    })),
    ...issues.flatMap((issue) => {
      const [field = '', index] = issue.path as [string?, number?];
      // A field that is misspelled or cannot be read seems to be missing.
      const isKnown = meant.includes(field) || (faults.length > 0 && (issue.input ?? null) === null);
      if (issue.code === 'unrecognized_keys' || isKnown) return [];
      const name = index === undefined ? field : `${field}, line ${index + 1}`;
      const purpose = schema.shape[field]?.meta()?.description;
      const message = `${name} ${refuse(issue)}. What belongs there: ${purpose}`;
      return { line: findLine(entry, issue.path), message };
    }),
    ...parts.flatMap(({ words, line }) => checkWords(fillFacts(words), line, 'fields')),
    ...faults,
  ];
}

function refuse(issue: z.core.$ZodIssue): string {
  const { code, input } = issue;
  if (input === undefined) return 'is missing between the two lines ---';
  if (!String(input ?? '').trim()) return 'is empty';
  if (code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (code === 'too_big')
    return `is longer than ${issue.maximum} characters (it has ${String(input).length})`;
  return refusals[code === 'invalid_type' ? issue.expected : code]!;
}

/** What is wrong with a value, by the code of the schema's issue or the type that the schema expects. */
const refusals: Record<string, string> = {
  array: 'must be a list: one line for each, with two spaces, a hyphen and a space before it',
  boolean: 'must be true or false, without quotes',
  custom: 'must contain a real date that is not in the future, such as January 2025 or 14 January 2025',
  int: 'must be a whole number, such as 3, without quotes',
  number: 'must be a whole number, such as 3, without quotes',
  string: 'must be words: put them in "double quotes"',
  too_small: 'must be 1 or more',
};
