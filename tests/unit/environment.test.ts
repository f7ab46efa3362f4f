import { describe, expect, it } from 'vitest';
import { findEnvironmentFaults, findPlaceholders } from '~/environment.ts';
import { placeholders, social } from '~/site.ts';

const complete = {
  PUBLIC_SITE_URL: 'https://dropyard.example',
  PUBLIC_SUPABASE_URL: 'https://abc.supabase.co',
  PUBLIC_SUPABASE_ANON_KEY: 'sb_publishable_abc',
};

function token(role: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'HS256' })}.${encode({ role })}.signature`;
}

describe('the per-deployment values', () => {
  it('are accepted with the three that have no default', () => {
    expect(findEnvironmentFaults(complete)).toEqual([]);
  });

  it.each(Object.keys(complete))('name %s when it is missing', (variable) => {
    expect(findEnvironmentFaults({ ...complete, [variable]: undefined })).toEqual([
      expect.stringMatching(`^${variable} is missing: set it to .+\\.$`),
    ]);
  });

  it.each([
    ...Object.keys(complete),
    'PUBLIC_EMAIL_FUNCTION_URL',
    'PUBLIC_EMAIL_SENDER',
    'PUBLIC_SUPPORT_EMAIL',
    'PUBLIC_SUPPORT_PHONE',
    'PUBLIC_UNSUBSCRIBE_ADDRESS',
    'PUBLIC_POSTAL_ADDRESS',
    'PUBLIC_DEV_MODE',
    'PUBLIC_FAILURE_NOTICE',
  ])('name %s when it is empty', (variable) => {
    expect(findEnvironmentFaults({ ...complete, [variable]: ' ' })).toEqual([
      expect.stringMatching(`^${variable} is empty: `),
    ]);
  });

  it.each([
    ['PUBLIC_SITE_URL', 'dropyard.example'],
    ['PUBLIC_SITE_URL', 'http://dropyard.example'],
    ['PUBLIC_SITE_URL', 'https://dropyard.example/path'],
    ['PUBLIC_SITE_URL', 'javascript:alert(1)'],
    ['PUBLIC_SUPABASE_URL', 'abc.supabase.co'],
    ['PUBLIC_SUPABASE_ANON_KEY', 'sb_secret_abc'],
    ['PUBLIC_SUPABASE_ANON_KEY', token('service_role')],
    ['PUBLIC_SUPABASE_ANON_KEY', 'x'],
    ['PUBLIC_EMAIL_FUNCTION_URL', '/functions'],
    ['PUBLIC_EMAIL_SENDER', 'Dropyard'],
    ['PUBLIC_SUPPORT_EMAIL', 'support'],
    ['PUBLIC_SUPPORT_PHONE', 'call us'],
    ['PUBLIC_UNSUBSCRIBE_ADDRESS', 'a@localhost'],
    ['PUBLIC_POSTAL_ADDRESS', 'Dropyard'],
    ['PUBLIC_DEV_MODE', 'yes'],
    ['PUBLIC_FAILURE_NOTICE', '1'],
  ])('name %s when it is malformed: %s', (variable, value) => {
    expect(findEnvironmentFaults({ ...complete, [variable]: value })).toEqual([
      expect.stringMatching(`^${variable} is malformed: set it to .+\\.$`),
    ]);
  });

  it('take the legacy public key, and never say a value aloud', () => {
    expect(findEnvironmentFaults({ ...complete, PUBLIC_SUPABASE_ANON_KEY: token('anon') })).toEqual([]);
    const [fault] = findEnvironmentFaults({ ...complete, PUBLIC_SUPABASE_ANON_KEY: 'sb_secret_abc' });
    expect(fault).not.toContain('sb_secret_abc');
  });

  it('tell which placeholders are still there', () => {
    expect(findPlaceholders(complete).join()).toContain(
      `PUBLIC_SUPPORT_PHONE (${placeholders.PUBLIC_SUPPORT_PHONE})`,
    );
    expect(findPlaceholders({ ...complete, PUBLIC_SUPPORT_PHONE: '+1 212 555 9999' }).join()).not.toContain(
      'PHONE',
    );
  });

  it('tell which of them lie at a domain of examples', () => {
    expect(findPlaceholders({ ...complete, PUBLIC_SUPPORT_EMAIL: 'help@stash.test' })).toContain(
      'PUBLIC_SITE_URL (dropyard.example)',
    );
    const own = { PUBLIC_SITE_URL: 'https://stash.test', PUBLIC_SUPPORT_EMAIL: 'help@shop.example' };
    expect(findPlaceholders({ ...complete, ...own }).join()).not.toContain('SITE_URL');
    expect(findPlaceholders({ ...complete, ...own })).toContain('PUBLIC_SUPPORT_EMAIL (shop.example)');
  });

  it('tell which links still lead nowhere', () => {
    const remaining = findPlaceholders(complete).filter((line) => line.startsWith('social.'));
    const reserved = Object.entries(social).flatMap(([name, { link, alternative }]) =>
      Object.entries({ link, alternative })
        .filter(([, address]) => new URL(address).hostname.endsWith('.example'))
        .map(([field, address]) => `social.${name}.${field} in src/site.ts (${address})`),
    );
    expect(remaining).toEqual(reserved);
  });
});
