import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Shared by every copy of the site that uses these packages. Reinstalling them empties it. */
const folder = resolve('node_modules/.cache/site');

/**
 * Creates a file that is slow to create, or reuses the one from an earlier build. `recipe` is everything that the file depends on,
 * as JSON.
 */
export async function makeOnce(recipe: unknown, make: () => Promise<Uint8Array>): Promise<Buffer> {
  const name = createHash('sha256').update(JSON.stringify(recipe)).digest('hex');
  const file = join(folder, name);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return kept;
  const made = Buffer.from(await make());
  await mkdir(folder, { recursive: true });
  // Written under another name first, because two builds, or two pages with the same heading, may need it at once.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, made);
  await rename(draft, file);
  return made;
}
