import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const docs = readFileSync(join(root, 'docs/deploy.md'), 'utf8');

describe('docs/deploy.md', () => {
  it('runs only commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const commands = [...docs.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(1);
    for (const name of commands) expect(Object.keys(scripts)).toContain(name);
  });

  it('refers only to files that exist', () => {
    const code = [...docs.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
    const files = code.filter((text) => /^[\w.-]+\/[\w./-]*$/.test(text) && !/^dist\//.test(text));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  });
});
