import { glob, type Loader } from 'astro/loaders';
import type { Kind } from './kinds.ts';

/**
 * Loads the files of one kind. An item's id is the name of its file.
 *
 * A development server starts all the same when it cannot, and loads in silence: the content check says what is wrong, and
 * loads again when it is mended.
 */
export function loadKind({ folder, name = '*' }: Kind): Loader {
  const files = glob({ base: `./content/${folder}`, pattern: `${name}.mdx` });
  return {
    ...files,
    name: 'content-kind',
    async load(context) {
      if (!context.watcher) return files.load(context);
      const logger = Object.assign(Object.create(context.logger) as typeof context.logger, {
        info() {},
        warn() {},
        error() {},
      });
      await files.load({ ...context, logger }).catch(() => {});
    },
  };
}
