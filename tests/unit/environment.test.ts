import { describe, expect, it, vi } from 'vitest';
import { readUrls } from '~/config/deployment-urls.ts';
import { environment, findEnvironmentFaults, findPlaceholders } from '~/build/environment.ts';
import { social } from '~/config/site.ts';
import { findFaults } from '../../ops/deploy/check-values.ts';
import { listVariables } from '../../shared/variables.ts';

const listFaults = (values: object) => findEnvironmentFaults(values).map(({ text }) => text);

const complete = {
  PUBLIC_SITE_URL: 'https://dropyard.example',
  PUBLIC_SUPABASE_URL: 'https://abc.supabase.co',
  PUBLIC_SUPABASE_ANON_KEY: 'sb_publishable_abc',
};

describe('the per-deployment values', () => {
  it('are accepted when only the three without a default are set, with and without a trailing slash', () => {
    expect(listFaults(complete)).toEqual([]);
    const withSlashes = {
      PUBLIC_SITE_URL: `${complete.PUBLIC_SITE_URL}/`,
      PUBLIC_SUPABASE_URL: `${complete.PUBLIC_SUPABASE_URL}/`,
    };
    expect(listFaults({ ...complete, ...withSlashes })).toEqual([]);
    const inUse = { PUBLIC_DEV_MODE: false };
    expect(readUrls({ ...withSlashes, ...inUse })).toEqual(readUrls({ ...complete, ...inUse }));
  });

  it.each(['build', 'dev'])('stop astro %s when they are missing, and the error names them', (command) => {
    const setUp = environment().hooks['astro:config:setup'] as (options: object) => void;
    const config = { root: new URL('file:///no/such/folder/') };
    for (const name of Object.keys(complete)) vi.stubEnv(name, undefined); // an owner may have exported them
    const missing = Object.keys(complete).map((name) => `${name} is missing: set it to .+\\.`);
    expect(() => setUp({ command, config, updateConfig: vi.fn() })).toThrow(RegExp(missing.join('\n')));
  });

  it.each(listVariables('build'))('are refused when %s is empty, and the error names it', (variable) => {
    expect(listFaults({ ...complete, [variable]: ' ' })).toEqual([
      expect.stringMatching(`^${variable} is malformed: `),
    ]);
  });

  it.each([
    ['PUBLIC_SITE_URL', 'dropyard.example'],
    ['PUBLIC_SITE_URL', 'http://dropyard.example'],
    ['PUBLIC_SITE_URL', 'https://dropyard.example/path'],
    ['PUBLIC_SITE_URL', 'https://dropyard.example#top'],
    ['PUBLIC_SITE_URL', 'http://localhost.dropyard.example'],
    ['PUBLIC_SUPABASE_URL', 'https://abc.supabase.co/rest/v1/'],
    ['PUBLIC_SUPABASE_ANON_KEY', 'sb_secret_abc'],
    ['PUBLIC_SUPABASE_ANON_KEY', 'eyJhbGciOi.eyJyb2xl.c2ln'],
    ['PUBLIC_EMAIL_FUNCTION_URL', '/functions'],
    ['PUBLIC_EMAIL_SENDER', 'Name'],
    ['PUBLIC_SUPPORT_PHONE', 'call us'],
    ['PUBLIC_UNSUBSCRIBE_ADDRESS', 'a@localhost'],
    ['PUBLIC_POSTAL_ADDRESS', 'Name'],
    ['PUBLIC_DEV_MODE', 'yes'],
  ])('are refused when %s is malformed, and the error names it: %s', (variable, value) => {
    expect(listFaults({ ...complete, [variable]: value })).toEqual([
      expect.stringMatching(`^${variable} is malformed: set it to .+\\.$`),
    ]);
  });

  it('include the social links that are still placeholders, which stop a deployment', () => {
    const reserved = Object.entries(social)
      .filter(([, { link }]) => new URL(link).hostname.endsWith('.example'))
      .map(([name]) => `social.${name}.link in src/config/site.ts`);
    for (const found of [findPlaceholders(complete), findFaults(complete)])
      expect(found.flatMap(({ variable }) => /^social\..*/.exec(variable) ?? [])).toEqual(reserved);
  });
});
