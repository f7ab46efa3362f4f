import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkValues } from '../../ops/deploy/check-keys.ts';
import { findFaults, findOwnFault, readProjectRef } from '../../ops/deploy/check-values.ts';
import { readDatabaseUrl } from '../../ops/values.ts';
import type { Values, VariableName } from '../../shared/variables.ts';
import { placeholders, site } from '../../src/config/site.ts';
import { completeValues } from './project.ts';
import type { Answer } from './services.ts';

/** The faults of a deployment, except for the placeholder links that the product ships with. */
const listFaults = (values: Values, written = '') =>
  findFaults(values, written).filter(({ variable }) => !variable.startsWith('social.'));
const ref = 'abcdefghijklmnopqrst';

it.each(Object.keys(completeValues) as VariableName[])('a deployment without %s has a fault', (name) => {
  const { [name]: _, ...others } = completeValues as Values;
  const text = expect.stringMatching(`^${name} is missing: set it to .*\\.$`);
  expect(listFaults(others)).toEqual([{ variable: name, text }]);
});

it.each<[state: string, name: VariableName, value: string]>([
  ['is malformed', 'SUPABASE_DB_URL', 'postgresql://postgres.abc:secret@pooler.stash.test:6543/postgres'],
  ['is malformed', 'SUPABASE_DB_URL', `postgresql://postgres:secret@db.${ref}.supabase.co:5432/postgres`],
  ['is malformed', 'PUBLIC_SUPABASE_URL', 'https://abc.supabase.co'],
  ['is malformed', 'PUBLIC_SITE_URL', 'http://localhost:1'],
  ['is malformed', 'PUBLIC_SITE_URL', 'https://stash'],
  ['is malformed', 'PUBLIC_EMAIL_SENDER', 'Yard <hello@stash.test\u200b>'],
  ['is malformed', 'SUPABASE_SECRET_KEY', '"sb_secret_one"'],
  ['is malformed', 'RESEND_API_KEY', 'https://resend.com/api-keys/re_one'],
  ['is malformed', 'CLOUDFLARE_ACCOUNT_ID', `${completeValues.CLOUDFLARE_ACCOUNT_ID}/workers`],
  ['is malformed', 'TOKEN_SECRET', `${'a'.repeat(32)},short`],
  ['cannot be used', 'PUBLIC_EMAIL_SENDER', 'Jo <jo@Outlook.com>'],
  ['cannot be used', 'PUBLIC_EMAIL_SENDER', 'onboarding@resend.dev'],
])('a deployment stops at a value (%s): %s=%s', (state, name, value) => {
  const fault = findOwnFault(name, value);
  expect(fault?.text).toContain(`${name} ${state}: `);
  expect(fault?.text).not.toContain('secret@');
});

it.each([
  ['PUBLIC_SITE_URL', 'https://name.account.workers.dev', 'name.account.workers.dev'],
  ['SITE_URL', 'https://stash.test, https://dropyard.example', 'dropyard.example'],
  ['PUBLIC_SUPPORT_PHONE', placeholders.PUBLIC_SUPPORT_PHONE, placeholders.PUBLIC_SUPPORT_PHONE],
  ['SUPABASE_DB_PASSWORD', '[YOUR-PASSWORD]', '[YOUR-PASSWORD]'],
] as const)('stops at a placeholder: %s=%s', (name, value, sample) => {
  const fault = { variable: name, text: `${name} is a placeholder: replace ${sample} with your own.` };
  expect(findOwnFault(name, value)).toEqual(fault);
  expect(listFaults({ ...completeValues, [name]: value })).toContainEqual(fault);
});

it.each([
  ['PUBLIC_SITE_URL', 'https://waitlist.me.workers.dev'],
  ['PUBLIC_SUPABASE_URL', `https://${ref}.supabase.co/`],
  ['TOKEN_SECRET', 'a-secret@that.looks.like.one.example'],
] as const)('takes what only looks wrong: %s=%s', (name, value) => {
  expect(findOwnFault(name, value)).toBeUndefined();
});

const databaseUrl = (password: string) =>
  `postgresql://postgres.abc${password}@pooler.stash.test:5432/postgres`;

it.each(['', ':[YOUR-PASSWORD]', ':p%23s', ':p!$&s', ':p#s', ':p/s', ':p@s', ':p:s'])(
  'a connection string is accepted with %j after the user name, and its password is removed',
  (password) => {
    expect(findOwnFault('SUPABASE_DB_URL', databaseUrl(password))).toBeUndefined();
    expect(readDatabaseUrl(databaseUrl(password))).toBe(`${databaseUrl('')}?sslmode=require`);
  },
);

it.each([
  ['SUPABASE_DB_URL', 'postgresql://postgres.zzzzzzzzzzzzzzzzzzzz:secret@pooler.test:5432/postgres'],
  ['SITE_URL', 'https://stash.test, https://waitlist.me.workers.dev'],
] as const)('values that contradict each other stop a deployment: %s=%s', (name, value) => {
  const faults = listFaults({ ...completeValues, [name]: value });
  const text = expect.stringMatching(/^\w+ cannot be used: (?!.*secret@)/);
  expect(faults).toEqual([{ variable: name, text }]);
});

it('a custom domain of Supabase is accepted if the user of the database names the project', () => {
  const values = { ...completeValues, PUBLIC_SUPABASE_URL: 'https://api.stash.test' };
  expect(listFaults(values)).toEqual([]);
  expect(readProjectRef(values)).toBe(ref);
  const text = expect.stringContaining('its user must be postgres.<reference>');
  const variable = 'SUPABASE_DB_URL';
  expect(listFaults({ ...values, [variable]: databaseUrl('') })).toEqual([{ variable, text }]);
});

it.each([
  ['SITE_URL=a\nSITE_URL=b', true],
  ["SITE_URL='it's'", true],
  ['SITE_URL="a\nb"', true],
  ['SITE_URL="it\'s $b"', true],
  ['SITE_URL="it\'s"', false],
  ["SITE_URL='$b'\r", false],
  ['SITE_URL=a\nTWO=a#b', false],
  ['export SITE_URL=a#b', true],
  ["  SITE_URL = 'a' ", false],
  ['SITE_URL=“a”', true],
])('a value that is not read as it was typed in .env is reported: %j is %s', (written, isMisread) => {
  const text = expect.stringMatching('^SITE_URL is (malformed|in .env twice): ');
  expect(listFaults(completeValues, written)).toEqual(isMisread ? [{ variable: 'SITE_URL', text }] : []);
});

describe('the check of the keys', () => {
  const domain = (status: string) => ({ data: [{ id: 'd1', name: 'stash.test', status }] });
  const zone = (name: string, status = 'active') => ({ result: [{ name, status }] });
  const none = { errors: [{ code: 10007, message: 'This account does not have a workers.dev subdomain' }] };
  const health = '/auth/v1/health';
  const project = `/v1/projects/${ref}`;
  const workers = `/client/v4/accounts/${completeValues.CLOUDFLARE_ACCOUNT_ID}/workers`;
  const { SUPABASE_DB_PASSWORD: _, ...values } = completeValues;

  /** Checks values with services that accept everything, but for one path. Resolves to what it prints. */
  async function check(path: string, [status, body]: Answer, changes: Values = {}, written = '') {
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.stubGlobal('fetch', async (url: string) => {
      if (status === 0) throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });
      if (new URL(url).pathname === path) return Response.json(body, { status });
      return Response.json({ ...domain('verified'), ...zone('stash.test') });
    });
    const { remark } = await checkValues({ ...values, ...changes }, written);
    const output = print.mock.calls.join('');
    print.mockRestore();
    const unchecked = output.match(/^not checked/gm)?.length ?? 0;
    expect(remark).toMatch(new RegExp(unchecked ? `^ ${unchecked} values? could` : '^$'));
    return output;
  }
  afterEach(() => vi.unstubAllGlobals());

  const open = 'not checked  ';

  it.each<[path: string, answer: Answer, line: string, changes?: Values]>([
    ['/domains', [200, { data: [] }], '  stash.test: it is not among'],
    ['/domains', [200, domain('not_started')], '  stash.test: Resend has not verified it'],
    ['/domains', [200, domain('pending')], '  stash.test: Resend has not verified it'],
    ['/domains', [200, domain('failed')], '  stash.test: Resend has not verified it'],
    ['/domains', [200, domain('partially_failed')], `${open}stash.test: Resend says partially_failed.`],
    ['/domains', [200, domain('temporary_failure')], `${open}stash.test: Resend says temporary_failure.`],
    ['/domains', [200, domain('partially_verified')], 'ok           stash.test: api.resend.com accepts it'],
    ['/domains/d1', [200, { click_tracking: true }], '  stash.test: tracking'],
    // https://resend.com/docs/api-reference/errors
    [
      '/domains',
      [403, { message: `${values.RESEND_API_KEY} is wrong` }],
      '  RESEND_API_KEY: api.resend.com refuses it: 403: *** is wrong. Copy it again',
    ],
    [health, [200, '<html>'], `  PUBLIC_SUPABASE_URL: ${ref}.supabase.co answered 200.`],
    [health, [540, {}], `  SUPABASE_SECRET_KEY: ${ref}.supabase.co is paused`],
    [`${project}/secrets`, [429, ''], `${open}SUPABASE_ACCESS_TOKEN: api.supabase.com is overloaded or down`],
    [`${project}/functions`, [404, {}], '  PUBLIC_SUPABASE_URL: api.supabase.com answered 404.'],
    // https://github.com/cloudflare/workers-sdk/issues/10588 and 2863
    [
      `${workers}/scripts`,
      [404, { errors: [{ code: 7003, message: 'Could not route' }] }],
      '  CLOUDFLARE_ACCOUNT_ID: api.cloudflare.com answered 404: Could not route (7003). Copy the one',
    ],
    [
      `${workers}/scripts`,
      [403, { errors: [{ code: 10000, message: 'Authentication error' }] }],
      '  CLOUDFLARE_API_TOKEN: api.cloudflare.com refuses it: 403: Authentication error (10000). Create one',
    ],
    ['/client/v4/zones', [200, zone('ash.test')], `${open}stash.test: CLOUDFLARE_API_TOKEN does not`],
    [
      '/client/v4/zones',
      [200, zone('stash.test', 'moved')],
      '  stash.test: Cloudflare says that stash.test is moved.',
    ],
    [`${workers}/subdomain`, [404, none], '  CLOUDFLARE_ACCOUNT_ID: the account has no workers.dev'],
    [
      `${workers}/subdomain`,
      [200, { result: { subdomain: 'me' } }],
      '  PUBLIC_SITE_URL: your account at Cloudflare has the host one.me.workers.dev, not one.you.workers.dev.',
      { PUBLIC_SITE_URL: 'https://one.you.workers.dev' },
    ],
    ['/', [200, 'a shop'], `${open}stash.test: whether you still need the other website there.`],
    ['', [0, ''], `${open}CLOUDFLARE_API_TOKEN: api.cloudflare.com cannot be reached (ENOTFOUND)`],
  ])('reports what the service %s answers: %j', async (path, answer, line, changes) => {
    expect(await check(path, answer, changes)).toContain(`\n${line}`);
  });

  it('names what nothing reads in .env, and what may be meant', async () => {
    const output = await check('', [200, {}], {}, "CALER_HEADER='x-real-ip'");
    expect(output).toContain(`${open}CALER_HEADER: nothing reads it. Did you mean CALLER_HEADER?\n`);
  });

  it('lists what no service tells before a deployment', async () => {
    const output = await check('/', [200, site.emailFunctionPath]);
    expect(output.match(/^not checked .*: whether /gm)).toHaveLength(2);
    expect(await check('/', [404, 'There is nothing here yet'])).not.toContain('other website');
    expect(output).toContain('ok           stash.test: CLOUDFLARE_API_TOKEN includes it.');
  });
});
