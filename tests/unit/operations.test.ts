import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { refusals } from '../../functions/_shared/http.ts';
import { checkNames } from '../../ops/probe/finding.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const docs = readFileSync(`${root}docs/operations.md`, 'utf8');

/** The code in the first cells of the table that starts with a heading. */
function readTable(heading: string): string[] {
  const [, rest = ''] = docs.split(new RegExp(`^\\| ${heading} .*$`, 'm'));
  const rows = rest.trim().split('\n\n')[0]!.split('\n');
  const names = rows.flatMap((row) => (row.split('|')[1] ?? '').match(/`[^`]+`/g) ?? []);
  return names.map((name) => name.slice(1, -1)).toSorted();
}

describe('docs/operations.md', () => {
  it('lists every finding of the probe', () => {
    expect(readTable('finding')).toEqual([...checkNames].toSorted());
  });

  it('lists every error code of the functions', () => {
    expect(readTable('code')).toEqual(Object.keys(refusals).toSorted());
  });
});
