import type { MarkdownHeading } from 'astro';
import { type CollectionEntry, type CollectionKey, getCollection, render } from 'astro:content';
import type { AstroComponentFactory } from 'astro/runtime/server/index.js';

type Folder = 'perks' | 'features' | 'reasons' | 'faq' | 'supportFaq';
type WithText<Name extends CollectionKey> = CollectionEntry<Name>['data'] & {
  Text: AstroComponentFactory;
  headings: MarkdownHeading[];
};

/**
 * Reads the one entry of a section or page: its fields, its text as the component `Text`, and the headings in it.
 *
 * @throws Error that names the collection when its file is not there.
 */
export async function readEntry<Name extends CollectionKey>(collection: Name): Promise<WithText<Name>> {
  return withText(await findEntry(collection));
}

/**
 * Reads the fields of an entry that has no text.
 *
 * @throws Error that names the file when it has one all the same: nobody would ever see it.
 */
export async function readFields<Name extends CollectionKey>(
  collection: Name,
): Promise<CollectionEntry<Name>['data']> {
  const { data, body, filePath } = await findEntry(collection);
  if (body?.trim())
    throw new Error(`${filePath} has a text below its fields, which is shown nowhere. Remove it.`);
  return data;
}

/**
 * Reads the items of a folder in their order: id, fields, and text as the component `Text`.
 *
 * @throws Error that names the file of an item without a text.
 */
export async function readItems<Name extends Folder>(
  collection: Name,
): Promise<(WithText<Name> & { id: string })[]> {
  const entries: CollectionEntry<Folder>[] = await getCollection(collection);
  const empty = entries.find(({ body }) => !body?.trim());
  if (empty) throw new Error(`${empty.filePath} has no text below its fields. Write one.`);
  const ordered = entries.toSorted((a, b) => a.data.order - b.data.order);
  return Promise.all(
    ordered.map(async (entry) => ({ ...(await withText(entry as CollectionEntry<Name>)), id: entry.id })),
  );
}

async function findEntry<Name extends CollectionKey>(collection: Name): Promise<CollectionEntry<Name>> {
  const [entry] = await getCollection(collection);
  if (entry) return entry;
  throw new Error(`The file of "${collection}" is missing. See src/content.config.ts for where it belongs.`);
}

async function withText<Name extends CollectionKey>(entry: CollectionEntry<Name>): Promise<WithText<Name>> {
  const { Content, headings } = await render(entry);
  return { ...entry.data, Text: Content, headings };
}
