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

/**
 * Loads the files of a collection. In development it ignores errors and logs nothing: the content check reports what is
 * wrong, loads the files again once it is fixed, and learns from `isDone` that this happened.
 */
function loadFiles({ folder, name = '*' }: Collection): Loader {
  const files = glob({ base: `./content/${folder}`, pattern: `${name}.mdx` });
  return {
    ...files,
    name: 'content-files',
    async load(context) {
      if (!context.watcher) return files.load(context);
      const logger = Object.assign(Object.create(context.logger) as typeof context.logger, {
        info() {},
        warn() {},
        error() {},
      });
      await files.load({ ...context, logger }).catch(() => {});
      if (context.refreshContextData) context.refreshContextData.isDone = true;
    },
  };
}
