import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collections } from '~/content-model/collections.ts';
import { componentNames } from '~/content-model/syntax.ts';
import { facts } from '~/content-model/facts.ts';

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/editing.md'), 'utf8');
const find = (pattern: RegExp) => [...guide.matchAll(pattern)].map(([, found = '']) => found);

describe('the guide to editing', () => {
  it('mentions every folder, and every file that is not in a collection folder', () => {
    for (const { folder, name } of Object.values(collections)) {
      expect(guide).toContain(`content/${folder}/${name ? `${name}.mdx` : '`'}`);
    }
  });

  it('explains every fact and every component, and no others', () => {
    expect(new Set(find(/\| `\{(\w+)\}` +\|/g))).toEqual(new Set(Object.keys(facts)));
    expect(new Set(find(/\| `<(\w+)/g))).toEqual(new Set(componentNames));
  });
});
