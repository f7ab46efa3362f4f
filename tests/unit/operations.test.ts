import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
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

/** Imports the files that match. */
const load = (pattern: string) =>
  Promise.all(globSync(pattern, { cwd: root }).map(async (file) => (await import(root + file)) as object));

describe('docs/operations.md', () => {
  it('lists every command', async () => {
    const program = new Command();
    for (const part of await load('ops/commands/*.ts'))
      for (const [name, add] of Object.entries(part))
        if (/^add[A-Z]/.test(name))
          (add as (program: Command, open: () => never) => void)(program, () => {
            throw new Error('no command runs here');
          });
    const names = program
      .createHelp()
      .visibleCommands(program)
      .map((command) => command.name())
      .filter((name) => name !== 'help');
    expect(readTable('command').map((cell) => cell.split(' ')[0])).toEqual(names.toSorted());
  });

  it('lists every finding of the probe', () => {
    expect(readTable('finding')).toEqual([...checkNames].toSorted());
  });

  it('lists every error code of the functions', async () => {
    const parts = await load('functions/{_shared/serve,*/handler}.ts');
    const tables = parts.map((part) => (part as { refusals: object }).refusals);
    const codes = tables.flatMap((table) => Object.keys(table));
    expect(readTable('code')).toEqual([...new Set(codes)].toSorted());
  });
});
