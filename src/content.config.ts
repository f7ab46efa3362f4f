import { defineCollection } from 'astro:content';
import { glob, type Loader } from 'astro/loaders';
import { type Collection, collections as files } from './content-model/collections.ts';

type Files = typeof files;

/** The content files as Astro reads them. collections.ts says what each must contain. */
export const collections = Object.fromEntries(
  Object.entries<Collection>(files).map(([name, file]) => [name, define(file)]),
) as { [Name in keyof Files]: ReturnType<typeof define<Files[Name]>> };

function define<Of extends Collection>(collection: Of) {
  const schema: Of['schema'] = collection.schema;
  return defineCollection({ loader: loadFiles(collection), schema });
}

/** Loads the files of a collection, and logs no errors: the content check reports them in plain words. */
function loadFiles({ folder, name = '*' }: Collection): Loader {
  const files = glob({ base: `./content/${folder}`, pattern: `${name}.mdx` });
  return {
    ...files,
    load(context) {
      const logger = Object.assign(Object.create(context.logger) as typeof context.logger, { error() {} });
      return files.load({ ...context, logger });
    },
  };
}
