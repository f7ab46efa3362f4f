import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listVariables, readVariable, type Values } from '../../ground/variables.ts';
import { completeValues, Project } from './project.ts';
import { type Answer, Services } from './services.ts';
import { Terminal } from './terminal.ts';

const services = new Services();
const project = new Project();
/** Values whose services are stand-ins or unreachable. */
let values: Values;
let surroundings: Record<string, string>;

beforeAll(async () => {
  await services.start();
  project.replacePlaceholders();
  surroundings = { SERVICES_URL: services.url };
  const { TOKEN_SECRET: _, ...others } = completeValues;
  values = {
    ...others,
    SUPABASE_DB_URL: 'postgresql://postgres:[YOUR-PASSWORD]@127.0.0.1:9/postgres',
    SUPABASE_DB_PASSWORD: 'password-of-the-tests',
  };
});

afterAll(async () => {
  await services.stop();
  project.remove();
});

beforeEach(() => {
  services.reset();
  services.intercept = ({ authorization }) =>
    // https://resend.com/docs/api-reference/errors
    authorization?.includes('refused') ? [403, { name: 'invalid_api_key' }] : undefined;
  project.delete('.env');
});

const setUp = (changes: Record<string, string> = {}, args = ['--yes']) =>
  project.run('deploy/setup.ts', args, { ...surroundings, ...values, ...changes });
const readFile = () => parseEnv(project.read('.env'));
const secretsOf = (given: Values) =>
  listVariables('owner')
    .filter((name) => readVariable(name).isSecret)
    .flatMap((name) => given[name] ?? []);

describe('set-up without a terminal', () => {
  it('writes the values of the environment to a file that only its owner can read, and creates the token secret', async () => {
    const { status, output } = await setUp({}, []);
    expect(output).toMatch(/^\nTOKEN_SECRET is new\. Keep a copy of it\.\nIf the site is already live, STOP/);
    expect(output).toMatch(/\nWritten: .*\.env\. Only you can read it, and git ignores it\.\n/);
    expect(
      [...output.matchAll(/^(ok|not checked|LOOK) +([\w.]+): /gm)].map(([, state, name]) => [state, name]),
    ).toEqual([
      ['ok', 'PUBLIC_SUPABASE_ANON_KEY'],
      ['ok', 'SUPABASE_SECRET_KEY'],
      ['ok', 'SUPABASE_ACCESS_TOKEN'],
      ['ok', 'RESEND_API_KEY'],
      ['ok', 'stash.test'],
      ['ok', 'CLOUDFLARE_API_TOKEN'],
    ]);
    expect(output).toMatch(/\nNothing is missing\.\nNext: npm run deploy -- --dry-run .*\n$/);
    expect(status).toBe(0);
    expect(statSync(join(project.folder, '.env')).mode & 0o777).toBe(0o600);
    const { TOKEN_SECRET, SUPABASE_DB_URL, ...others } = readFile();
    expect(TOKEN_SECRET).toMatch(/^[\w-]{43}$/);
    expect(SUPABASE_DB_URL).toBe('postgresql://postgres@127.0.0.1:9/postgres?sslmode=require');
    expect({ ...others, SUPABASE_DB_URL: values.SUPABASE_DB_URL }).toEqual(values);
    for (const secret of secretsOf({ ...values, TOKEN_SECRET })) expect(output).not.toContain(secret);
  });

  it('can be run again: values, comments and other lines stay', async () => {
    await setUp();
    const first = readFile();
    project.write('.env', `# mine\nOTHER='a b' # kept\n${project.read('.env')}`);
    const PUBLIC_SUPPORT_PHONE = '+49 30 5550199';
    const { status, output } = await project.run('deploy/setup.ts', ['--yes'], {
      ...surroundings,
      PUBLIC_SUPPORT_PHONE,
    });
    expect(status).toBe(0);
    expect(output).not.toContain('TOKEN_SECRET is new');
    expect(project.read('.env')).toMatch(/^# mine\nOTHER='a b' # kept\n/);
    expect(readFile()).toEqual({ ...first, OTHER: 'a b', PUBLIC_SUPPORT_PHONE });
  });

  it('names every value that is missing, malformed or refused, sends none to a wrong host, and writes the others', async () => {
    const { status, output } = await setUp({
      PUBLIC_SITE_URL: 'stash.test',
      PUBLIC_SUPABASE_URL: 'https://supabase.com/dashboard/project/abcdefghijklmnopqrst',
      RESEND_API_KEY: 're_refused',
      CLOUDFLARE_API_TOKEN: '',
      TOKEN_SECRET: 'short-and-secret',
    });
    const fixes = [...output.matchAll(/^ {2}(\w+)(?: is (\w+)|: .* refuses it)/gm)].map(([, name, kind]) => [
      name,
      kind,
    ]);
    expect(fixes).toEqual([
      ['PUBLIC_SITE_URL', 'malformed'],
      ['TOKEN_SECRET', 'malformed'],
      ['PUBLIC_SUPABASE_URL', 'malformed'],
      ['CLOUDFLARE_API_TOKEN', 'missing'],
      ['RESEND_API_KEY', undefined],
    ]);
    expect(output).not.toContain('short-and-secret');
    expect(output).toMatch(/\nThen run this again\.\n$/);
    expect(status).toBe(1);
    expect(services.calls.map(({ path }) => path)).toEqual(['/domains']);
    expect(Object.keys(readFile())).toContain('PUBLIC_SUPPORT_EMAIL');
    for (const name of ['PUBLIC_SITE_URL', 'PUBLIC_SUPABASE_URL', 'TOKEN_SECRET'])
      expect(Object.keys(readFile())).not.toContain(name);
  });

  it('checks no domain for a site on workers.dev, and says how many values could not be checked', async () => {
    const { status, output } = await setUp({
      PUBLIC_SITE_URL: 'https://waitlist.me.workers.dev',
      CNAME_OF: 'waitlist.me.workers.dev',
      SERVICES_URL: 'http://127.0.0.1:9',
    });
    expect(output.match(/^not checked .* cannot be reached from here$/gm)).toHaveLength(5);
    expect(output).toMatch(/\nNothing is missing\. 5 values could not be checked\.\nNext: .*\n$/);
    expect(status).toBe(0);
  });

  it.each<[what: string, path: string, answer: Answer, line: RegExp]>([
    ['does not know', '/domains', [200, { data: [] }], /^LOOK +stash\.test: it is not among your domains/m],
    [
      'has not verified',
      '/domains',
      [200, { data: [{ id: 'd1', name: 'stash.test', status: 'pending' }] }],
      /^LOOK +stash\.test: Resend has not verified it/m,
    ],
    [
      'tracks clicks at',
      '/domains/d1',
      [200, { click_tracking: true }],
      /^LOOK +stash\.test: tracking .* is on/m,
    ],
  ])('says when Resend %s the domain of the sender', async (_, path, answer, line) => {
    services.intercept = (call) => (call.path === path ? answer : undefined);
    const { status, output } = await setUp();
    expect(output).toMatch(line);
    expect(output).toMatch(/\nNothing is missing\. 1 needs a look\.\n/);
    expect(status).toBe(0);
  });

  it('accepts a key of Resend that may only send', async () => {
    // https://resend.com/docs/api-reference/errors
    services.intercept = ({ path }) =>
      path === '/domains' ? [401, { name: 'restricted_api_key' }] : undefined;
    expect((await setUp()).output).toMatch(/^ok +RESEND_API_KEY/m);
  });
});

describe('set-up at a terminal', () => {
  const open = (program = 'deploy/setup.ts', given: Values = {}) =>
    new Terminal(program, {
      cwd: project.folder,
      env: { ...project.surroundings, ...surroundings, ...given },
    });
  const asked = listVariables('owner');

  it('asks, explains and hides secrets; a second run keeps every answer except an optional one that is emptied', async () => {
    const terminal = open();
    for (const name of asked) {
      if (name === 'PUBLIC_SITE_URL') {
        await terminal.type(`◆  ${name}`, 'stash.test\r');
        await terminal.type('Set it to the URL of the site', '\u0015https://stash.test\r');
      } else if (name === 'SUPABASE_DB_PASSWORD') {
        await terminal.type(`◆  ${name}`, `it's "quoted"\r`);
        await terminal.type("It contains a ' together", `\u0015${values[name]}\r`);
      } else await terminal.type(`◆  ${name}`, `${values[name] ?? ''}\r`);
    }
    expect(await terminal.end(), terminal.screen).toBe(0);
    for (const name of asked) {
      const { hint, isOptional } = readVariable(name);
      const [, end] = terminal.screen.split(`${name}: ${hint.slice(0, 40)}`);
      expect(end?.split('◆')[0]?.includes('Optional.'), name).toBe(isOptional === true);
    }
    for (const secret of secretsOf(values)) expect(terminal.screen).not.toContain(secret);
    const { TOKEN_SECRET: _, ...written } = readFile();
    expect({ ...written, SUPABASE_DB_URL: values.SUPABASE_DB_URL }).toEqual(values);

    const before = project.read('.env');
    project.write('.env', `${before}CALLER_HEADER=x-caller\n`);
    const again = open();
    for (const name of asked) await again.type(`◆  ${name}`, name === 'CALLER_HEADER' ? '\u0015\r' : '\r');
    expect(await again.end(), again.screen).toBe(0);
    expect(project.read('.env')).toBe(`${before}CALLER_HEADER=\n`);
    for (const secret of secretsOf(values)) expect(again.screen).not.toContain(secret);
  });

  it('asks nothing with --yes', async () => {
    const terminal = open('deploy/setup.ts --yes', values);
    await terminal.type('Written: ', '');
    expect(await terminal.end(), terminal.screen).toBe(0);
    expect(terminal.screen).not.toContain('◆');
    expect(readFile()).toMatchObject({ PUBLIC_SITE_URL: values.PUBLIC_SITE_URL });
  });

  it('writes nothing when the person cancels', async () => {
    const terminal = open();
    await terminal.type('◆  PUBLIC_SITE_URL', 'https://stash.test\r');
    await terminal.type('◆  SITE_URL', '\u0003');
    expect(await terminal.end()).toBe(1);
    expect(terminal.screen).toContain('Stopped: nothing was written.');
    expect(existsSync(join(project.folder, '.env'))).toBe(false);
  });
});
