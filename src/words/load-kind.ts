import { glob, type Loader } from 'astro/loaders';
import type { Kind } from './kinds.ts';

/** Loads the files of one kind. An item's id is the name of its file. */
export function loadKind({ folder, name = '*' }: Kind): Loader {
  const files = glob({ base: `./content/${folder}`, pattern: `${name}.mdx` });
  return {
    ...files,
    name: 'content-kind',
    async load(context) {
      try {
        await files.load(context);
      } catch (error) {
        // A development server starts all the same: the content check shows what is wrong, and loads again when it is mended.
        if (!context.watcher) throw error;
      }
    },
  };
}
