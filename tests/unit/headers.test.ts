import { describe, expect, it } from 'vitest';
import { composeHeaderFile } from '~/build/headers/header-file.ts';
import { composePolicy } from '~/build/headers/policy.ts';

describe('the policy', () => {
  const addresses = {
    siteUrl: 'https://dropyard.example',
    supabaseUrl: 'https://abc.supabase.co/below',
    emailFunctionUrl: 'https://mail.dropyard.example/send',
    unsubscribeFunctionUrl: 'https://abc.supabase.co/functions/v1/unsubscribe',
  };
  const policy = composePolicy({ scripts: [], styles: [] }, addresses);
  const directives = new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );

  it('allows only what it lists, and nothing unsafe', () => {
    expect(policy).not.toMatch(/unsafe|\*|data:|blob:|https?:(\s|;|$)/);
    for (const name of ['default-src', 'object-src', 'base-uri', 'frame-ancestors', 'trusted-types']) {
      expect(directives.get(name)).toEqual(["'none'"]);
    }
    for (const name of ['img-src', 'font-src']) {
      expect(directives.get(name)).toEqual(["'self'"]);
    }
    expect(directives.get('require-trusted-types-for')).toEqual(["'script'"]);
  });

  it('lets scripts call the backend, and forms reach the functions and come back', () => {
    const [mail, supabase] = ['https://mail.dropyard.example', 'https://abc.supabase.co'];
    expect(directives.get('connect-src')).toEqual([supabase, mail]);
    expect(directives.get('form-action')).toEqual(["'self'", 'https://dropyard.example', mail, supabase]);
  });
});

it('the header file has a rule for each asset, so that browsers do not cache a missing one', () => {
  const file = composeHeaderFile("default-src 'none'", ['/_astro/a.js']);
  expect(file.match(/^\/.*/gm)).toEqual(['/*', '/speculation-rules.json', '/_astro/a.js']);
  expect(file).toContain('  Speculation-Rules: "/speculation-rules.json"\n');
  expect(file).toContain('/speculation-rules.json\n  Content-Type: application/speculationrules+json\n');
});
