import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFrontmatter } from '@astrojs/markdown-remark';
import type { z } from 'astro/zod';
import type { Collection } from './collections.ts';
import { parseText } from './syntax.ts';

/**
 * Reads a content file, with its facts filled in, for code that cannot use `astro:content`. Throws an Error when its fields have
 * mistakes.
 */
export function readContent<Of extends Collection>(root: string, file: string, { schema }: Of) {
  const code = readFileSync(join(root, file), 'utf8').replace(/^\uFEFF/, '');
  try {
    const { frontmatter, content } = parseFrontmatter(code);
    return { fields: schema.parse(frontmatter) as z.output<Of['schema']>, text: parseText(content) };
  } catch (cause) {
    throw new Error(`${file} has mistakes. "npm run check:content" lists them.`, { cause });
  }
}
