import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'astro/zod';
import type { Collection } from './collections.ts';
import { readSource } from './read-source.ts';

/**
 * Reads the fields of a content file, by its path from the root of the project, for code that cannot use `astro:content`.
 * Facts are filled in.
 *
 * @throws Error with the name of the file when it has mistakes.
 */
export function readFields<Of extends Collection>(
  root: string,
  file: string,
  collection: Of,
): z.output<Of['schema']> {
  const { fields, faults } = readSource(readFileSync(join(root, file), 'utf8'));
  const { data } = collection.schema.safeParse(fields);
  if (!data || faults.length > 0)
    throw new Error(`${file} has mistakes. "npm run check:content" lists them.`);
  return data as z.output<Of['schema']>;
}
