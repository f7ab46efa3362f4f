import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { facts } from '~/facts.ts';
import { collections } from '~/content-check/collections.ts';
import { componentNames } from '~/content-syntax.ts';

const root = resolve(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/editing.md'), 'utf8');
const find = (pattern: RegExp) => [...guide.matchAll(pattern)].map(([, found = '']) => found);
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;

describe('the guide to editing', () => {
  it('mentions only files and folders that exist', () => {
    const named = find(/`?\b((?:content|src|public)\/[\w./-]*)/g);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('mentions every folder, and every file that is not in a collection folder', () => {
    for (const { folder, name } of Object.values(collections)) {
      expect(guide).toContain(`content/${folder}/${name ? `${name}.mdx` : '`'}`);
    }
  });

  it('says how many words each text may have', () => {
    const { perks, features, reasons, faq, supportFaq } = collections;
    const longest = [perks, features, reasons, faq, supportFaq].map(({ text }) => text.longest);
    expect(longest).toEqual([60, 60, 60, 300, 300]);
    expect(guide).toMatch(/A perk, a feature or a reason\s+may have 60 words, and an answer 300\./);
  });

  it('mentions only commands that exist', () => {
    for (const command of find(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty([command]);
  });

  it('explains every fact and every component, and no others', () => {
    expect(new Set(find(/\| `\{(\w+)\}` +\|/g))).toEqual(new Set(Object.keys(facts)));
    expect(new Set(find(/\| `<(\w+)/g))).toEqual(new Set(componentNames));
  });

  it('links only to headings that exist', () => {
    const headings = find(/^## (.+)$/gm).map((text) =>
      text
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const link of find(/\]\(#([\w-]+)\)/g)) expect(headings).toContain(link);
  });
});
