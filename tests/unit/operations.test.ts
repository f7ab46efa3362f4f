import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(root + file, 'utf8');
const readAll = (pattern: string) => globSync(pattern, { cwd: root }).map(read).join('\n');
const collect = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();

/** The code in the first cells of the table that starts with a heading. */
function readTable(heading: string): string[] {
  const [, rest = ''] = read('docs/operations.md').split(new RegExp(`^\\| ${heading} .*$`, 'm'));
  const cells = rest
    .trim()
    .split('\n\n')[0]!
    .split('\n')
    .map((row) => row.split('|')[1] ?? '');
  return collect(cells.join('\n'), /`([^`]+)`/g);
}

describe('docs/operations.md', () => {
  it('lists every command', () => {
    const commands = collect(readAll('owner/commands/*.ts'), /program\s*\.command\('([\w-]+)'/g);
    expect(readTable('command').map((cell) => cell.split(' ')[0])).toEqual(commands);
  });

  it('lists every finding of the probe', () => {
    const findings = collect(read('probe/probe.ts'), /(?:name: |attempt\(|^ {4}\[)'([a-z -]+)',/gm);
    expect(readTable('finding')).toEqual(findings);
  });

  it('lists every error code of the functions', () => {
    const codes = collect(readAll('functions/**/*.ts'), /^ {2}(\w+): \[\d{3}, '/gm);
    expect(codes).not.toEqual([]);
    expect(readTable('code')).toEqual(expect.arrayContaining(codes));
  });
});
