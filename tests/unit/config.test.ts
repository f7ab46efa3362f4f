import { describe, expect, it } from 'vitest';
import { readConfig, readEventsConfig } from '../../functions/_shared/config.ts';
import { listVariables } from '../../shared/variables.ts';

const complete: Record<string, string> = {
  SITE_URL: 'https://dropyard.example, https://www.dropyard.example/',
  SUPABASE_URL: 'https://abc.supabase.co',
  SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_one","next":"sb_publishable_two"}',
  SUPABASE_SECRET_KEYS: '{"default":"sb_secret_one"}',
  TOKEN_SECRET: 'a'.repeat(32),
  PUBLIC_EMAIL_SENDER: 'Name <hello@dropyard.example>',
  PUBLIC_UNSUBSCRIBE_ADDRESS: 'unsubscribe@dropyard.example',
  RESEND_API_KEY: 're_1',
};

function read(changes: Record<string, string | undefined> = {}) {
  const variables = { ...complete, ...changes };
  return readConfig((name) => variables[name]);
}

describe('the configuration of the function', () => {
  it('is read from the environment', () => {
    expect(read()).toMatchObject({
      siteOrigins: ['https://dropyard.example', 'https://www.dropyard.example'],
      publicKeys: ['sb_publishable_one', 'sb_publishable_two'],
      resendBaseUrl: 'https://api.resend.com',
    });
  });

  it('accepts the legacy keys, and prefers the new secret key', () => {
    expect(read({ SUPABASE_ANON_KEY: 'legacy' }).publicKeys).toContain('legacy');
    const legacy = { SUPABASE_SERVICE_ROLE_KEY: 'legacy' };
    expect(read(legacy).secretKey).toBe('sb_secret_one');
    expect(read({ ...legacy, SUPABASE_SECRET_KEYS: undefined }).secretKey).toBe('legacy');
  });

  it.each(Object.keys(complete))('is refused when %s is missing or empty, and the error names it', (name) => {
    expect(() => read({ [name]: undefined })).toThrow(`${name} is missing`);
    expect(() => read({ [name]: ' ' })).toThrow(`${name} is missing`);
  });

  it.each([
    ['SITE_URL', 'dropyard.example'],
    ['SITE_URL', 'https://dropyard.example, www.dropyard.example'],
    ['SUPABASE_PUBLISHABLE_KEYS', '"sb_publishable_one"'],
    ['PUBLIC_EMAIL_SENDER', 'hello'],
    ['PUBLIC_EMAIL_SENDER', 'Name <hello@dropyard.example>\r\nBcc: x@example.com'],
    ['PUBLIC_UNSUBSCRIBE_ADDRESS', 'nobody'],
    ['TOKEN_SECRET', 'short'],
    ['SUPABASE_URL', 'abc.supabase.co'],
    ['CALLER_HEADER', 'X-Real-IP:'],
    ['CALLER_HEADER', 'X-Real-IP, X-Forwarded-For'],
  ])('is refused when %s is malformed, and the error names it: %j', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name} is malformed`);
  });

  it('ignores an empty key', () => {
    const empty = '{"default":"","next":"sb_publishable_two"}';
    expect(read({ SUPABASE_PUBLISHABLE_KEYS: empty }).publicKeys).toEqual(['sb_publishable_two']);
  });

  it('is refused when the webhook secret is missing or malformed, and the error names it', () => {
    const readWith = (secret?: string) =>
      readEventsConfig((name) => (name === 'RESEND_WEBHOOK_SECRET' ? secret : complete[name]));
    const secret = `whsec_${'A'.repeat(32)}`;
    expect(readWith(secret)).toMatchObject({ webhookSecret: secret });
    expect(() => readWith()).toThrow('RESEND_WEBHOOK_SECRET is missing');
    for (const wrong of ['whsec_', 'A'.repeat(38), `whsec_${'A'.repeat(33)}`, `whsec_${'*'.repeat(32)}`])
      expect(() => readWith(wrong), wrong).toThrow('RESEND_WEBHOOK_SECRET is malformed');
  });

  it('reads exactly the values that the table lists for the functions', () => {
    const names = new Set<string>();
    for (const readAll of [readConfig, readEventsConfig]) {
      expect(() => readAll((name) => void names.add(name))).toThrow('is missing');
    }
    // The platform still sets the keys under their legacy names as well.
    names.delete('SUPABASE_ANON_KEY');
    names.delete('SUPABASE_SERVICE_ROLE_KEY');
    expect([...names].toSorted()).toEqual(listVariables('functions').toSorted());
  });

  it('is refused with a list of all faults', () => {
    expect(() => read({ SITE_URL: '', RESEND_API_KEY: '' })).toThrow(
      /SITE_URL is missing.*\n.*RESEND_API_KEY is missing/,
    );
  });
});
