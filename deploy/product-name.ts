import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './values.ts';

const file = join(root, 'src', 'site.ts');
const line = /^const name = '([^']*)';$/m;

/** Reads the name of the product from the one line that says it. */
export function readProductName(): string {
  const name = line.exec(readFileSync(file, 'utf8'))?.[1];
  if (name === undefined) throw new Error(`${file} does not say: const name = '…';`);
  return name;
}

/** Says what is wrong with a name; `undefined` when nothing is. */
export function findNameFault(name: string): string | undefined {
  if (/^[\p{L}\p{N}][\p{L}\p{N} .&!-]{0,39}$/u.test(name)) return undefined;
  return 'Set it to at most 40 letters, digits, spaces and . & ! -';
}

/** Renames the product. */
export function renameProduct(name: string): void {
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(line, () => `const name = '${name}';`),
  );
}
