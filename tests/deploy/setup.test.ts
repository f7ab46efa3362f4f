import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeVariable, type VariableName, variableNames } from '../../deploy/variables.ts';
import { completeValues, Project } from './project.ts';
import { Services } from './services.ts';
import { Terminal } from './terminal.ts';

const services = new Services();
let project: Project;
/** Values whose services are all on loopback, or nowhere. */
let values: Partial<Record<VariableName, string>>;
let surroundings: Record<string, string>;

beforeAll(async () => {
  await services.start();
  surroundings = {
    RESEND_BASE_URL: services.url,
    SUPABASE_API_URL: services.url,
    CLOUDFLARE_API_BASE_URL: services.url,
    DNS_SERVER: '127.0.0.1:9',
  };
  const { TOKEN_SECRET: _, ...others } = completeValues;
  values = {
    ...others,
    PUBLIC_SUPABASE_URL: services.url,
    SUPABASE_PROJECT_REF: 'abcdefghijklmnopqrst',
    SUPABASE_DB_URL: 'postgresql://postgres:[YOUR-PASSWORD]@127.0.0.1:9/postgres',
  };
});

afterAll(() => services.stop());

beforeEach(() => {
  services.reset();
  services.intercept = ({ authorization }) =>
    authorization?.includes('refused') ? [403, { name: 'invalid_api_key' }] : [200, {}];
  project = new Project();
  project.replacePlaceholders();
});

afterEach(() => project.remove());

const setUp = (changes: Record<string, string> = {}, args = ['--yes']) =>
  project.run('deploy/setup.ts', args, { ...surroundings, ...values, ...changes });
const readFile = () => parseEnv(project.read('.env'));
const secretsOf = (given: Partial<Record<VariableName, string>>) =>
  variableNames.filter((name) => describeVariable(name).isSecret).flatMap((name) => given[name] ?? []);

describe('set-up without a terminal', () => {
  it('writes what the environment says, for its owner alone, and makes the secret that nobody thinks of', async () => {
    const { status, output } = await setUp({}, []);
    expect(output).toContain('Nothing is in the way');
    expect(status).toBe(0);
    expect(statSync(join(project.folder, '.env')).mode & 0o777).toBe(0o600);
    const { TOKEN_SECRET, SUPABASE_DB_URL, ...others } = readFile();
    expect(TOKEN_SECRET).toMatch(/^[\w-]{43}$/);
    expect(SUPABASE_DB_URL).toBe('postgresql://postgres@127.0.0.1:9/postgres?sslmode=require');
    expect({ ...others, SUPABASE_DB_URL: values.SUPABASE_DB_URL }).toEqual(values);
    for (const secret of secretsOf({ ...values, TOKEN_SECRET })) expect(output).not.toContain(secret);
  });

  it('can be run again: what is there stays, with its comments and lines of others', async () => {
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

  it('renames the product, unless nothing can be called that', async () => {
    const refused = await setUp({ PRODUCT_NAME: "Stash'; evil()" });
    expect(refused.output).toMatch(/PRODUCT_NAME is malformed: set it to at most 40 letters/);
    expect(refused.status).toBe(1);
    expect(existsSync(join(project.folder, '.env'))).toBe(false);
    const { status, output } = await setUp({ PRODUCT_NAME: 'Stashmark' });
    expect(output).toContain('is Stashmark');
    expect(status).toBe(0);
    expect(project.read('src/site.ts')).toContain("const name = 'Stashmark';");
  });

  it('says aloud that a secret was made, and what to do where the site is live already', async () => {
    const first = await setUp();
    expect(first.output).toMatch(/TOKEN_SECRET is new\.[^]*If the site is live already, STOP/);
    expect((await setUp()).output).not.toContain('TOKEN_SECRET is new');
  });

  it('names all that is missing or malformed, and writes the rest', async () => {
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
    expect(status).toBe(1);
    expect(Object.keys(readFile())).toContain('PUBLIC_SUPPORT_EMAIL');
    expect(Object.keys(readFile())).not.toContain('PUBLIC_SITE_URL');
    expect(Object.keys(readFile())).not.toContain('TOKEN_SECRET');
  });

  it('names a password that no file can hold, and writes the rest', async () => {
    const { status, output } = await setUp({ SUPABASE_DB_PASSWORD: `it's "hidden"` });
    expect(output).toMatch(/SUPABASE_DB_PASSWORD holds a ' beside one of .*: choose a value without it\./);
    expect(output).not.toContain('hidden');
    expect(status).toBe(1);
    expect(Object.keys(readFile())).toContain('PUBLIC_SUPPORT_EMAIL');
    expect(Object.keys(readFile())).not.toContain('SUPABASE_DB_PASSWORD');
  });

  it('shows no key to the host of a dashboard, and says what the address of the project is', async () => {
    const ref = 'abcdefghijklmnopqrst';
    const { status, output } = await setUp({
      PUBLIC_SUPABASE_URL: `https://supabase.com/dashboard/project/${ref}`,
    });
    expect(output).toContain(`set it to https://${ref}.supabase.co`);
    expect(output).not.toMatch(/(ANON_KEY|SECRET_KEY): supabase\.com/);
    expect(status).toBe(1);
    expect(Object.keys(readFile())).not.toContain('PUBLIC_SUPABASE_URL');
  });

  it.each(['p#hidden', 'p/hidden', 'p?hidden'])(
    'says how a password such as %s is written in a connection string, and never shows it',
    async (password) => {
      const SUPABASE_DB_URL = `postgresql://postgres.abc:${password}@127.0.0.1:9/postgres`;
      const { status, output } = await setUp({ SUPABASE_DB_URL });
      expect(output).toMatch(/SUPABASE_DB_URL is malformed: .*percent-encode/);
      expect(output).not.toContain('hidden');
      expect(status).toBe(1);
      expect(Object.keys(readFile())).toContain('SUPABASE_DB_PASSWORD');
    },
  );

  it('shows the keys to their services, and says which one is refused and in the way', async () => {
    const { status, output } = await setUp({ RESEND_API_KEY: 're_refused' });
    expect(output).toMatch(/Still in the way of a deployment:\n {2}RESEND_API_KEY: .* refuses it/);
    expect(status).toBe(1);
    expect(output).toMatch(/^LOOK +RESEND_API_KEY: 127\.0\.0\.1:\d+ refuses it \(403\)/m);
    expect(output).toMatch(/^ok +SUPABASE_SECRET_KEY: 127/m);
    expect(output).toMatch(/^ok +SUPABASE_ACCESS_TOKEN: 127/m);
    expect(output).toMatch(/^ok +CLOUDFLARE_API_TOKEN: 127/m);
    expect(output).toMatch(/^not checked +SUPABASE_DB_PASSWORD: the database cannot be reached/m);
    expect(output).toMatch(/^not checked +TXT _dmarc\.stash\.test: .*cannot be asked/m);
    expect(services.changes).toEqual([]);
  });
});

describe('set-up at a terminal', () => {
  const open = () =>
    new Terminal('deploy/setup.ts', {
      cwd: project.folder,
      env: {
        ...project.surroundings,
        ...surroundings,
        SUPABASE_PROJECT_REF: values.SUPABASE_PROJECT_REF,
      },
    });
  const asked = variableNames.filter((name) => describeVariable(name).isAsked);

  it('asks, explains and masks; a second run keeps every answer', async () => {
    const terminal = open();
    await terminal.type('Name of the product', '\u0015Stashmark\r');
    expect(asked).toContain('TOKEN_SECRET');
    for (const name of asked) {
      const { label } = describeVariable(name);
      if (name === 'PUBLIC_SITE_URL') {
        await terminal.type(label, 'stash.test\r');
        await terminal.type(
          'Begin with https://, and set it to the address of the site',
          '\u0015https://stash.test\r',
        );
      } else if (name === 'SUPABASE_DB_PASSWORD') {
        await terminal.type(label, `it's "quoted"\r`);
        await terminal.type("Holds a ' beside", `\u0015${values[name]}\r`);
      } else await terminal.type(label, `${values[name] ?? ''}\r`);
    }
    expect(await terminal.end(), terminal.screen).toBe(0);
    for (const name of asked) expect(terminal.screen).toContain(describeVariable(name).source.slice(0, 60));
    expect(terminal.screen).toMatch(/TXT +resend\._domainkey\.stash\.test/);
    expect(terminal.screen).toMatch(/TXT +_dmarc\.stash\.test +v=DMARC1/);
    for (const secret of secretsOf(values)) expect(terminal.screen).not.toContain(secret);
    expect(readFile()).toMatchObject({
      PUBLIC_SITE_URL: 'https://stash.test',
      PUBLIC_EMAIL_SENDER: completeValues.PUBLIC_EMAIL_SENDER,
      CLOUDFLARE_API_TOKEN: completeValues.CLOUDFLARE_API_TOKEN,
    });
    expect(project.read('src/site.ts')).toContain("const name = 'Stashmark';");

    const written = project.read('.env');
    const again = open();
    await again.type('Name of the product', '\r');
    for (const name of asked) await again.type(describeVariable(name).label, '\r');
    expect(await again.end(), again.screen).toBe(0);
    expect(project.read('.env')).toBe(written);
    for (const secret of secretsOf(values)) expect(again.screen).not.toContain(secret);
  });

  it('writes nothing when the person stops', async () => {
    const facts = project.read('src/site.ts');
    const terminal = open();
    await terminal.type('Name of the product', '\u0015Stashmark\r');
    await terminal.type('Address of the site', '\u0003');
    expect(await terminal.end()).toBe(1);
    expect(terminal.screen).toContain('Stopped: nothing was written.');
    expect(existsSync(join(project.folder, '.env'))).toBe(false);
    expect(project.read('src/site.ts')).toBe(facts);
  });
});
