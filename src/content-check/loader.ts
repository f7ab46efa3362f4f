import { glob, type Loader } from 'astro/loaders';
import type { Collection } from './collections.ts';

/**
 * Loads the files of a collection. In development it ignores errors and logs nothing: the content check reports what is
 * wrong, loads the files again once it is fixed, and learns from `isDone` that this happened.
 */
export function loadFiles({ folder, name = '*' }: Collection): Loader {
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
