import { z } from 'astro/zod';
import { closest, distance } from 'fastest-levenshtein';
import { fillFacts } from '../facts.ts';

/** A text of one line, of at most so many characters. Facts such as {app} are filled in. */
export function words(longest: number, description: string) {
  return z
    .string(explain('must be text, so put it in quotes', description))
    .trim()
    .min(1, `is empty: ${description}`)
    .max(longest, {
      error: ({ input }) =>
        `is longer than ${longest} characters (it has ${(input as string).length}): ${description}`,
    })
    .transform((text, context) => {
      try {
        return fillFacts(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .describe(description);
}

/** A list of such texts, one at least. */
export function listOfWords(longest: number, description: string) {
  return z
    .array(
      words(longest, description),
      explain('must be a list, one line for each with a hyphen', description),
    )
    .min(1, `is empty: ${description}`)
    .describe(description);
}

/** One of a few words. */
export function choice<const Words extends readonly [string, ...string[]]>(of: Words, description: string) {
  return z.enum(of, explain(`must be one of ${of.join(', ')}`, description)).describe(description);
}

const place = 'The place among the files of this folder, counted from 1.';

/** A place among the files of a folder. */
export const order = z
  .int(explain('must be a whole number', place))
  .min(1, `must be 1 or more: ${place}`)
  .describe(place);

/** The fields of a file: these and no others. */
export function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? (keys as string[]).map((key) => refuseField(key, known)).join(' ')
        : undefined,
  });
}

/** What is said of a value of the wrong kind, and of one that is not there. */
function explain(demand: string, description: string) {
  return {
    error: ({ input }: { input?: unknown }) => {
      if (input === undefined) return `is missing: ${description}`;
      return input === null ? `is empty: ${description}` : `${demand}: ${description}`;
    },
  };
}

/** Finds the name that somebody may have meant; `undefined` when none is near. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(name.toLowerCase(), known);
  return distance(name.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, name.length / 3)
    ? nearest
    : undefined;
}

/** Says that a field is unknown, and which one may have been meant. */
export function refuseField(key: string, known: readonly string[]): string {
  const nearest = findNearest(key, known);
  return nearest
    ? `"${key}" is no field of this file. Did you mean "${nearest}"?`
    : `"${key}" is no field of this file. Its fields: ${known.join(', ')}.`;
}
