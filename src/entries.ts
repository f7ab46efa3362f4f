import { type CollectionKey, getCollection, render } from 'astro:content';

/**
 * Reads the one entry of a section or page: its fields, and its text as the component `Text`.
 *
 * @throws Error that names the collection when its file is not there.
 */
export async function readEntry<Name extends CollectionKey>(collection: Name) {
  const [entry] = await getCollection(collection);
  if (!entry)
    throw new Error(
      `The file of "${collection}" is missing. See src/content.config.ts for where it belongs.`,
    );
  const { Content } = await render(entry);
  return { ...entry.data, Text: Content };
}

/** Reads the items of a folder in their order: id, fields, and text as the component `Text`. */
export async function readItems<Name extends 'perks' | 'features' | 'reasons' | 'faq' | 'supportFaq'>(
  collection: Name,
) {
  const entries = await getCollection(collection);
  const ordered = entries.toSorted((a, b) => a.data.order - b.data.order);
  return Promise.all(
    ordered.map(async (entry) => {
      const { Content } = await render(entry);
      return { ...entry.data, id: entry.id, Text: Content };
    }),
  );
}
