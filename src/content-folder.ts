import { relative } from 'node:path';
import { glob, type Loader } from 'astro/loaders';

/** Loads the one file of a section or page. */
export function contentFile(folder: string, name: string): Loader {
  return glob({ base: `./content/${folder}`, pattern: `${name}.mdx` });
}

/**
 * Loads a folder of items that stand in an order of their own.
 *
 * Stops the build when two files have the same id or the same `order`, and names both.
 */
export function contentFolder(folder: string): Loader {
  const fileOfId = new Map<string, string>();
  const files = glob({
    base: `./content/${folder}`,
    pattern: '*.mdx',
    generateId({ entry }) {
      const id = entry.replace(/\.mdx$/, '').toLowerCase();
      const other = fileOfId.get(id);
      if (other && other !== entry) {
        throw new Error(
          `content/${folder}/${entry} and content/${folder}/${other} have the same id "${id}". Rename one.`,
        );
      }
      fileOfId.set(id, entry);
      return id;
    },
  });
  return {
    ...files,
    name: 'content-folder',
    async load(context) {
      fileOfId.clear();
      await files.load(context);
      const fileOfOrder = new Map<unknown, string>();
      for (const { data, filePath = '' } of context.store.values()) {
        const file = relative('.', filePath);
        const other = fileOfOrder.get(data['order']);
        if (other)
          throw new Error(
            `${file} and ${other} have the same order ${data['order']}. Change the field "order" of one.`,
          );
        fileOfOrder.set(data['order'], file);
      }
    },
  };
}
