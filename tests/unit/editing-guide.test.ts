import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { facts } from '~/facts.ts';
import { kinds } from '~/words/kinds.ts';
import { contentComponents } from '~/words/text-rules.ts';

const root = resolve(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/editing.md'), 'utf8');
const find = (pattern: RegExp) => [...guide.matchAll(pattern)].map(([, found = '']) => found);
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;

describe('the guide to editing', () => {
  it('names only files and folders that exist', () => {
    const named = find(/`?\b((?:content|src|public)\/[\w./-]*)/g);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const inAlternatives = find(/\b((?:sections|pages)\/[\w-]+\.mdx)/g);
    expect(inAlternatives.filter((path) => !existsSync(join(root, 'content', path)))).toEqual([]);
  });

  it('names every folder, and every file that is alone of its kind but for the sections in the pictures', () => {
    for (const { folder, name } of Object.values(kinds)) {
      expect(guide).toContain(`${folder}/${name === undefined || folder === 'sections' ? '' : name}`);
    }
  });

  it('shows only pictures that exist, each of at most 130 KB and with a description', () => {
    const pictures = find(/!\[[^\]]{20,}\]\((pictures\/[\w.-]+)\)/g);
    expect(pictures.toSorted()).toEqual(globSync('pictures/*', { cwd: join(root, 'docs') }).toSorted());
    for (const picture of pictures) {
      expect(readFileSync(join(root, 'docs', picture)).byteLength).toBeLessThan(130 * 1024);
    }
  });

  it('names only commands that exist', () => {
    for (const command of find(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty([command]);
  });

  it('explains every fact and every component, and no others', () => {
    expect(new Set(find(/\| `\{(\w+)\}` +\|/g))).toEqual(new Set(Object.keys(facts)));
    expect(new Set(find(/\| `<(\w+)/g))).toEqual(new Set(contentComponents));
  });

  it('leads to headings that are there', () => {
    const headings = find(/^## (.+)$/gm).map((text) =>
      text
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const link of find(/\]\(#([\w-]+)\)/g)) expect(headings).toContain(link);
  });
});
