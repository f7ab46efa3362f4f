import type { MarkdownHeading } from 'astro';
import { type CollectionEntry, type CollectionKey, getCollection, render } from 'astro:content';
import type { AstroComponentFactory } from 'astro/runtime/server/index.js';
import type { collections } from './content-check/collections.ts';

type Files = typeof collections;
type NameOf<Shape> = { [Name in keyof Files]: Files[Name] extends Shape ? Name : never }[keyof Files];
type Folder = NameOf<{ name: undefined; schema: { shape: { order: unknown } } }>;
type Written = NameOf<{ name: string; text: object }>;
type Fields = Exclude<keyof Files, Folder | Written>;
type WithText<Name extends CollectionKey> = CollectionEntry<Name>['data'] & {
  Text: AstroComponentFactory;
  headings: MarkdownHeading[];
};

/** Reads the entry of a section or page: its fields, its text as the component `Text`, and the headings of the text. */
export async function readEntry<Name extends Written>(collection: Name): Promise<WithText<Name>> {
  return withText(await findEntry(collection));
}

/** Reads the fields of an entry that has no text. */
export async function readFields<Name extends Fields>(
  collection: Name,
): Promise<CollectionEntry<Name>['data']> {
  return (await findEntry(collection)).data;
}

/** Reads the items of a folder, sorted by `order`: id, fields, and text as the component `Text`. */
export async function readItems<Name extends Folder>(
  collection: Name,
): Promise<(WithText<Name> & { id: string })[]> {
  const entries: CollectionEntry<Folder>[] = await getCollection(collection);
  const ordered = entries.toSorted((a, b) => a.data.order - b.data.order);
  return Promise.all(
    ordered.map(async (entry) => ({ ...(await withText(entry as CollectionEntry<Name>)), id: entry.id })),
  );
}

/** @throws Error with the name of the collection when somebody removes its file while the development server runs. */
async function findEntry<Name extends CollectionKey>(collection: Name): Promise<CollectionEntry<Name>> {
  const [entry] = await getCollection(collection);
  if (entry) return entry;
  throw new Error(
    `The file of "${collection}" is missing. See src/content-check/collections.ts for where it belongs.`,
  );
}

async function withText<Name extends CollectionKey>(entry: CollectionEntry<Name>): Promise<WithText<Name>> {
  const { Content, headings } = await render(entry);
  return { ...entry.data, Text: Content, headings };
}
