import { type CollectionEntry, type CollectionKey, getCollection, render } from 'astro:content';
import type { Fields, Item, WithText } from './collections.ts';

/** Reads the entry of a section or page: its fields, and its text as the component `Text`. */
export async function readEntry<Name extends CollectionKey>(collection: Name): Promise<WithText<Name>> {
  return withText(await findEntry(collection));
}

/** Reads the fields of an entry. */
export async function readFields<Name extends CollectionKey>(collection: Name): Promise<Fields<Name>> {
  return (await findEntry(collection)).data;
}

/** Reads the items of a folder, sorted by `order`: id, fields, and text as the component `Text`. */
export async function readItems<Name extends CollectionKey>(collection: Name): Promise<Item<Name>[]> {
  const orderOf = ({ data }: CollectionEntry<CollectionKey>) => ('order' in data ? data.order : 0);
  const entries = (await getCollection(collection)).toSorted((a, b) => orderOf(a) - orderOf(b));
  return Promise.all(entries.map(async (entry) => ({ ...(await withText<Name>(entry)), id: entry.id })));
}

/** Finds the only entry of a collection. The content check reports a missing file. */
async function findEntry<Name extends CollectionKey>(collection: Name): Promise<CollectionEntry<Name>> {
  const [entry] = await getCollection(collection);
  return entry!;
}

async function withText<Name extends CollectionKey>(entry: CollectionEntry<Name>): Promise<WithText<Name>> {
  const { Content: Text } = await render(entry);
  return { ...entry.data, Text };
}
