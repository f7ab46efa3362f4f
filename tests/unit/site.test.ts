import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { site } from '~/site.ts';

describe('the facts of the site', () => {
  it('are the same in package.json', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(manifest).toMatchObject({ version: site.version, description: site.description });
  });
});
