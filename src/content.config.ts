import { defineCollection } from 'astro:content';
import { type Collection, collections as files } from './content-check/collections.ts';
import { loadFiles } from './content-check/loader.ts';

type Files = typeof files;

function define<Of extends Collection>(collection: Of) {
  return defineCollection({ loader: loadFiles(collection), schema: collection.schema as Of['schema'] });
}

/** The content files as Astro reads them. content-check/collections.ts says what each must contain. */
export const collections = Object.fromEntries(
  Object.entries<Collection>(files).map(([name, file]) => [name, define(file)]),
) as { [Name in keyof Files]: ReturnType<typeof define<Files[Name]>> };
