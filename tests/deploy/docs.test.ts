import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../../deploy/steps.ts';
import { listVariables, readVariable } from '../../ground/variables.ts';
import { completeValues } from './project.ts';

const root = resolve(import.meta.dirname, '../..');
const docs = readFileSync(join(root, 'docs/deploy.md'), 'utf8');

/** Returns the rows of the table with this first line, as arrays of cell texts. */
function readTable(heading: RegExp): string[][] {
  const lines = docs.split('\n').map((line) => line.trim());
  const first = lines.findIndex((line) => heading.test(line)) + 2;
  const rows = lines.slice(first, lines.indexOf('', first));
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| *| *\|$/g, '').trim()));
}

describe('docs/deploy.md', () => {
  it('lists every value as in the table in ground/variables.ts', () => {
    const lines = listVariables('owner').map((name) => {
      const { hint, source = '', isOptional } = readVariable(name);
      return `- \`${name}\`: ${hint}. ${isOptional ? '_Optional._ ' : ''}${source}`;
    });
    expect(docs.split('\n').filter((line) => /^- `[A-Z]\w+`: /.test(line))).toEqual(lines);
  });

  it('lists the steps in order', () => {
    expect(readTable(/^\| Step +\| What it does/).map(([name]) => name)).toEqual(
      planDeployment(completeValues).map(({ name }) => `\`${name}\``),
    );
  });

  it('runs only commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const commands = [...docs.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(5);
    for (const name of commands) expect(Object.keys(scripts)).toContain(name);
  });

  it('refers only to files that exist', () => {
    const code = [...docs.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
    const files = code.filter((text) => /^[\w.-]+\/[\w./-]*$/.test(text) && !/^dist\//.test(text));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  });
});
