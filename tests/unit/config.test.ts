import { describe, expect, it } from 'vitest';
import { readConfig } from '../../functions/_shared/config.ts';
import { type FunctionName, functionNames, listVariables, type Values } from '../../shared/variables.ts';

const complete: Values = {
  SITE_URL: 'https://dropyard.example, https://www.dropyard.example/',
  SUPABASE_URL: 'https://abc.supabase.co',
  SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_one","next":"sb_publishable_two"}',
  SUPABASE_SECRET_KEYS: '{"default":"sb_secret_one","next":"sb_secret_two"}',
  TOKEN_SECRET: `${'b'.repeat(32)}, ${'a'.repeat(32)}`,
  PUBLIC_EMAIL_SENDER: 'Name <hello@dropyard.example>',
  PUBLIC_UNSUBSCRIBE_ADDRESS: 'unsubscribe@dropyard.example',
  RESEND_API_KEY: 're_1',
  RESEND_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
};

function read(changes: Record<string, string | undefined> = {}, name: FunctionName = 'resend-email') {
  const variables: Record<string, string | undefined> = { ...complete, ...changes };
  return readConfig(name, (variable) => variables[variable]);
}

describe('the configuration of a function', () => {
  it('is read from the environment', () => {
    expect(read()).toMatchObject({
      siteOrigins: ['https://dropyard.example', 'https://www.dropyard.example'],
      publicKeys: ['sb_publishable_one', 'sb_publishable_two'],
      secretKeys: ['sb_secret_one', 'sb_secret_two'],
      tokenSecrets: ['b'.repeat(32), 'a'.repeat(32)],
      callerHeader: undefined,
    });
    const PUBLIC_SUPABASE_URL = 'https://api.dropyard.example';
    expect(read({ PUBLIC_SUPABASE_URL }).supabaseUrl).toBe(PUBLIC_SUPABASE_URL);
    expect(read({}, 'delivery-events').webhookSecret).toBe(complete.RESEND_WEBHOOK_SECRET);
    expect(listVariables('unsubscribe'), 'leaving needs no mail key').not.toContain('RESEND_API_KEY');
  });

  it.each(functionNames)('of %s names what is missing, and asks for nothing else', (name) => {
    const needed = listVariables(name).filter((variable) => variable in complete);
    for (const variable of needed)
      for (const value of [undefined, ' '])
        expect(() => read({ [variable]: value }, name)).toThrow(`${variable} is missing: set it to `);
    const others = Object.keys(complete).filter((variable) => !needed.some((one) => one === variable));
    expect(() => read(Object.fromEntries(others.map((other) => [other, undefined])), name)).not.toThrow();
    const asked = new Set<string>();
    expect(() => readConfig(name, (variable) => void asked.add(variable))).toThrow(
      needed.map((variable) => `${variable} is missing`).at(-1),
    );
    expect([...asked].toSorted()).toEqual(listVariables(name).toSorted());
  });

  it.each([
    ['PUBLIC_EMAIL_SENDER', 'hello'],
    ['SITE_URL', 'https://dropyard.example, www.dropyard.example'],
    ['SUPABASE_SECRET_KEYS', '{"default":"","next":"a-new-form"}'],
    ['CALLER_HEADER', 'X-Real-IP, X-Forwarded-For'],
  ])('is accepted with an unfamiliar %s: %j', (name, value) => {
    expect(read({ [name]: value })).toMatchObject({ callerHeader: undefined });
  });

  it.each([
    ['SITE_URL', 'dropyard.example'],
    ['SUPABASE_PUBLISHABLE_KEYS', 'sb_publishable_one'],
    ['SUPABASE_SECRET_KEYS', '{"default":""}'],
  ])('is refused if nothing in %s can be used: %j', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name} is missing`);
  });
});
