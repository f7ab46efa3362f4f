import type { z } from 'astro/zod';
import { findNearest, suggest } from '../nearest.ts';
import { type Collection, collections } from '../collections.ts';
import { fillFacts } from '../facts.ts';
import { checkLink, type Targets } from './check-links.ts';
import { checkMarkup } from './check-markup.ts';
import type { Problem } from './problem.ts';
import { type Entry, findLine } from './read-source.ts';

/** Lists what is wrong with the fields of a file. */
export function checkFields({ fields, head, collection, problems }: Entry, targets: Targets): Problem[] {
  const { schema, text, folder } = collection;
  const isEmail = text?.isEmail ?? folder === 'email';
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(fields).filter((field) => !known.includes(field));
  const { issues = [] } = schema.safeParse(fields, { reportInput: true }).error ?? {};
  return [
    ...unknown.map((field) => ({
      line: findLine(head, [field]),
      message: `Unknown field "${field}". ${suggestField(field, known)}`,
    })),
    ...issues.flatMap((issue) => {
      const [field = '', index] = issue.path as [string?, number?];
      // A field that seems to be missing or empty may have a wrong name, or be on a line that cannot be read.
      const isHidden = unknown.length + problems.length > 0 && (issue.input ?? null) === null;
      if (issue.code === 'unrecognized_keys' || isHidden) return [];
      const name = index === undefined ? field : `${field}, line ${index + 1}`;
      const purpose = schema.shape[field]?.meta()?.description;
      const message = `${name} ${refuse(issue)}. What belongs there: ${purpose}`;
      return { line: findLine(head, issue.path), message };
    }),
    ...Object.entries(fields).flatMap(([field, value]) => {
      // What does not begin with / is reported above.
      const isLink = schema.shape[field]?.meta()?.['isLink'] && String(value).startsWith('/');
      const message = isLink && checkLink(String(value), collection.page, targets);
      return message ? { line: findLine(head, [field]), message } : [];
    }),
    ...head.flatMap((line, index) => checkMarkup(fillFacts(line), index + 1, true, isEmail)),
  ];
}

/** Suggests the field that was probably meant, or the folders whose files have such a field. */
function suggestField(field: string, known: string[]): string {
  const folders = Object.values<Collection>(collections).filter(({ name }) => !name);
  const homes = folders.filter(({ schema }) => field in schema.shape);
  if (homes.length === 0 || findNearest(field, known))
    return suggest(field, known, 'The fields of this file are');
  return `Does the file belong in ${homes.map(({ folder }) => `content/${folder}/`).join(' or ')}? Here, the fields are: ${known.join(', ')}.`;
}

function refuse(issue: z.core.$ZodIssue): string {
  const { code, input } = issue;
  if (input === undefined) return 'is missing between the two lines ---';
  if (!String(input ?? '').trim()) return 'is empty';
  if (code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (code === 'too_big')
    return `is longer than ${issue.maximum} characters (it has ${String(input).length})`;
  return refusals[code === 'invalid_type' ? issue.expected : code] ?? 'must be a number, such as 3';
}

/** What is wrong with a value, by the code of the schema's issue or the type that the schema expects. */
const refusals: Record<string, string> = {
  array: 'must be a list: one line for each, with two spaces, a hyphen and a space before it',
  invalid_format: 'must begin with /',
  boolean: 'must be true or false, without quotes',
  custom: 'is not a day in the calendar, with the month in words',
  string: 'must be words: put them in "double quotes"',
  too_small: 'must be more than 0',
};
