import type { z } from 'astro/zod';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { fillFacts } from '../facts.ts';
import { parseText } from './check-text.ts';
import { findLeftovers } from './check-words.ts';
import type { Collection } from './collections.ts';
import type { Fault } from './fault.ts';
import { explainLine } from './explain-line.ts';
import { findNearest, suggest } from './nearest.ts';
import type { Source } from './read-source.ts';

/** Lists what is wrong with the fields of a file. */
export function checkFields(source: Source, { schema }: Collection): Fault[] {
  const { fields, text = '', findLine } = source;
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(fields).filter((key) => !known.includes(key));
  const meant = unknown.map((key) => findNearest(key, known));
  const issues = schema.safeParse(fields).error?.issues ?? [];
  return [
    ...unknown.map((key) => ({
      line: findLine([key]),
      message: key.includes(' ')
        ? explainLine(key)
        : `Unknown field "${key}". ${suggest(key, known, 'The fields of this file are')}`,
    })),
    ...issues.flatMap((issue) => {
      const name = String(issue.path[0]);
      // A misspelled field is one mistake, not two.
      if (issue.code === 'unrecognized_keys' || (!(name in fields) && meant.includes(name))) return [];
      const below = text.split('\n').findIndex((line) => line.startsWith(`${name}: `)) + 1;
      if (name in fields || below === 0) {
        return [{ line: findLine(issue.path), message: explain(issue, fields, schema) }];
      }
      const message = `The field "${name}" is below the line ---. Move it above that line.`;
      return [{ line: below, message }];
    }),
    ...known.flatMap((field) =>
      [fields[field]].flat().flatMap((value, index) => {
        const path = Array.isArray(fields[field]) ? [field, index] : [field];
        const messages = typeof value === 'string' ? checkPlainWords(value) : [];
        return messages.map((message) => ({
          line: findLine(path),
          message: `${nameField(path)}: ${message}`,
        }));
      }),
    ),
  ];
}

/** Returns the name of a field, or of a line in its list: `audience, line 2`. */
function nameField([field, index]: PropertyKey[]): string {
  return typeof index === 'number' ? `${String(field)}, line ${index + 1}` : String(field);
}

/** Describes why a value does not fit, and what the field is for. */
function explain(issue: z.core.$ZodIssue, fields: Source['fields'], schema: z.ZodObject): string {
  const { path } = issue;
  const value = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown>)?.[key], fields);
  const purpose = schema.shape[String(path[0])]?.meta()?.description;
  return `${nameField(path)} ${refuse(issue, value)}. What belongs there: ${purpose}`;
}

function refuse(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'is missing';
  if (value === null || (issue.code === 'too_small' && issue.origin !== 'number')) return 'is empty';
  switch (issue.code) {
    case 'too_small':
      return `must be ${issue.minimum} or more`;
    case 'too_big':
      if (issue.origin !== 'string') return 'is too large';
      return `is longer than ${issue.maximum} characters (it has ${String(value).trim().length})`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      if (issue.expected === 'array')
        return 'must be a list: one line for each, with a hyphen and a space before it';
      if (issue.expected === 'boolean') return 'must be true or false, without quotes';
      if (issue.expected === 'string') return 'must be words: put them in "double quotes"';
      return `must be a whole number, such as 3${/^\d+$/.test(String(value)) ? ', without quotes' : ''}`;
    default:
      return issue.message;
  }
}

/** Lists what visitors would see as code, because fields are plain words. */
function checkPlainWords(value: string): string[] {
  const tree = parseText(value);
  const formatted: string[] = [];
  visit(tree, (node) => {
    const typed = value.slice(node.position?.start.offset, node.position?.end.offset);
    const isFormatted =
      ['emphasis', 'strong', 'delete', 'inlineCode', 'image'].includes(node.type) ||
      (node.type === 'link' && typed.startsWith('[')) ||
      (node.type === 'heading' && typed.startsWith('#'));
    if (!isFormatted) return;
    formatted.push(typed);
    return 'skip';
  });
  const [code] = /<\/?[a-z][^<>]*>|&#?\w+;|\\[*_#[\]<>{}()`~\\!?]/i.exec(value) ?? [];
  if (formatted.length === 0 && code && (/^[<\\]/.test(code) || !toString(tree).includes(code))) {
    formatted.push(code);
  }
  if (formatted.length > 0) {
    return [
      `Visitors would see ${formatted[0]} as typed. A field is plain words, without bold, links or code.`,
    ];
  }
  if (/^[^"]*[^"\d]"$/.test(value)) return ['The quote " at the end has no partner. Remove it.'];
  // A star at the beginning may be a note.
  return findLeftovers(fillFacts(value.replace(/^\*(?=[^*]+$)/, ''))).map(({ message }) => message);
}
