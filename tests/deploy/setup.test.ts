import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listVariables, readVariable, type Values } from '../../ground/variables.ts';
import { completeValues, Project } from './project.ts';
import { Services } from './services.ts';
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
    const [warning, result = '', ...next] = output.trim().split(/\n\n(?=Written|ok|Nothing)/);
    expect(warning).toMatch(/^TOKEN_SECRET is new\. Keep a copy of it\.\n/);
    expect(result).toMatch(/^Written: .*\.env\. Only you can read it, and git ignores it\.$/);
    expect(next.join('\n').split('\n')).toEqual([
      'ok           PUBLIC_SUPABASE_ANON_KEY: abcdefghijklmnopqrst.supabase.co accepts it',
      'ok           SUPABASE_SECRET_KEY: abcdefghijklmnopqrst.supabase.co accepts it',
      'ok           SUPABASE_ACCESS_TOKEN: api.supabase.com accepts it',
      'not checked  SUPABASE_DB_PASSWORD: the database cannot be reached from here',
      'ok           RESEND_API_KEY: api.resend.com accepts it',
      'ok           stash.test: Resend has verified it',
      'ok           CLOUDFLARE_API_TOKEN: api.cloudflare.com accepts it',
      'ok           stash.test: stash.test is active at Cloudflare',
      'Nothing is missing. 1 value could not be checked.',
      'Next: npm run deploy -- --dry-run (docs/deploy.md, step 7).',
    ]);
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
    const { status } = await project.run('deploy/setup.ts', ['--yes'], {
      ...surroundings,
      PUBLIC_SUPPORT_PHONE: '+49 30 5550199',
    });
    expect(status).toBe(0);
    expect(project.read('.env')).toMatch(/^# mine\nOTHER='a b' # kept\n/);
    expect(readFile()).toEqual({ ...first, OTHER: 'a b', PUBLIC_SUPPORT_PHONE: '+49 30 5550199' });
  });

  it('says that it created a secret, and what to do if the site is already live', async () => {
    const first = await setUp();
    expect(first.output).toMatch(/TOKEN_SECRET is new\.[^]*If the site is already live, STOP/);
    expect((await setUp()).output).not.toContain('TOKEN_SECRET is new');
  });

  it('names every missing or malformed value, and writes the others', async () => {
    const { status, output } = await setUp({
      PUBLIC_SITE_URL: 'stash.test',
      RESEND_API_KEY: '',
      CLOUDFLARE_API_TOKEN: '',
      TOKEN_SECRET: 'short-and-secret',
    });
    expect(output).toContain('PUBLIC_SITE_URL is malformed');
    expect(output).toContain('TOKEN_SECRET is malformed');
    expect(output).toContain('RESEND_API_KEY is missing');
    expect(output).toContain('CLOUDFLARE_API_TOKEN is missing');
    expect(output).not.toContain('short-and-secret');
    expect(output).toMatch(/\nThen run this again\. 1 value could not be checked\.\n$/);
    expect(status).toBe(1);
    expect(Object.keys(readFile())).toContain('PUBLIC_SUPPORT_EMAIL');
    expect(Object.keys(readFile())).not.toContain('PUBLIC_SITE_URL');
    expect(Object.keys(readFile())).not.toContain('TOKEN_SECRET');
  });

  it('names a password that cannot be written to the file, and writes the others', async () => {
    const { status, output } = await setUp({ SUPABASE_DB_PASSWORD: `it's "hidden"` });
    expect(output).toMatch(
      /SUPABASE_DB_PASSWORD cannot be used: it contains a ' together with one of .*Choose a value without/,
    );
    expect(output).not.toContain('hidden');
    expect(status).toBe(1);
    expect(Object.keys(readFile())).toContain('PUBLIC_SUPPORT_EMAIL');
    expect(Object.keys(readFile())).not.toContain('SUPABASE_DB_PASSWORD');
  });

  it('sends no key to the host of a dashboard', async () => {
    const { status, output } = await setUp({
      PUBLIC_SUPABASE_URL: 'https://supabase.com/dashboard/project/abcdefghijklmnopqrst',
    });
    expect(output).toContain('PUBLIC_SUPABASE_URL is malformed: set it to the URL of the Supabase project');
    expect(output).not.toMatch(/(ANON_KEY|SECRET_KEY): supabase\.com/);
    expect(status).toBe(1);
    expect(Object.keys(readFile())).not.toContain('PUBLIC_SUPABASE_URL');
  });

  it('checks the keys with their services, and stops when one is refused', async () => {
    const { status, output } = await setUp({ RESEND_API_KEY: 're_refused' });
    expect(output).toMatch(
      /Fix these before deploying:\n {2}RESEND_API_KEY: api\.resend\.com refuses it \(403\)/,
    );
    expect(output.match(/RESEND_API_KEY/g)).toHaveLength(1);
    expect(status).toBe(1);
    expect(services.changes).toEqual([]);
  });

  it('checks every host of the site, but not one on workers.dev, which needs no domain', async () => {
    const several = await setUp({ SITE_URL: 'https://www.stash.test, https://other.test' });
    expect(several.output).toMatch(/^ok +www\.stash\.test: stash\.test is active at Cloudflare/m);
    expect(several.output).toContain('\n  other.test: its domain is not at Cloudflare');
    expect(several.status).toBe(1);
    project.delete('.env');
    const free = await setUp({ PUBLIC_SITE_URL: 'https://waitlist.me.workers.dev' });
    expect(free.output).not.toContain('workers.dev:');
    expect(free.status).toBe(0);
  });

  it('says how many values could not be checked without a connection', async () => {
    const { status, output } = await setUp({ SERVICES_URL: 'http://127.0.0.1:9' });
    expect(output.match(/^not checked .* cannot be reached from here$/gm)).toHaveLength(7);
    expect(output).toMatch(/\nNothing is missing\. 7 values could not be checked\.\nNext: .*\n$/);
    expect(status).toBe(0);
  });

  it('says when Resend does not know the domain of the sender, and accepts a key that may only send', async () => {
    services.intercept = ({ path }) => (path.startsWith('/v1/projects') ? [503, {}] : undefined);
    const unknown = await setUp({ PUBLIC_EMAIL_SENDER: 'hello@other.test' });
    expect(unknown.output).toMatch(/^LOOK +other\.test: it is not among your domains at Resend/m);
    expect(unknown.output).toMatch(
      /Nothing is missing\. 2 values could not be checked, 1 needs a look\.\nNext: /,
    );
    services.intercept = ({ path }) =>
      path === '/domains' ? [200, { data: [{ name: 'stash.test', status: 'pending' }] }] : undefined;
    expect((await setUp()).output).toMatch(/^LOOK +stash\.test: Resend has not verified it yet/m);
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
