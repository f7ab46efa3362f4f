import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeVariable, variableNames } from '../../deploy/variables.ts';
import { prepareDatabase } from '../../local/database.ts';
import { findFreePort, prepareDataDir } from '../../local/settings.ts';
import { Supervisor } from '../../local/supervisor.ts';
import { completeValues, Project } from './project.ts';
import { Services } from './services.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-deployment-'));
const supervisor = new Supervisor({ onChange: () => {}, onLine: console.log });
const services = new Services();
const project = new Project();
let server = '';
let database = '';
let runs = 0;

beforeAll(async () => {
  const port = await findFreePort();
  prepareDataDir(dataDir);
  await supervisor.start(prepareDatabase({ dataDir, ports: { site: 0, api: 0, inbox: 0, database: port } }));
  server = `postgres://postgres:postgres@127.0.0.1:${port}`;
  await query(`${server}/postgres`, readFileSync(join(project.folder, 'local/roles.sql'), 'utf8'));
  await services.start();
  project.replacePlaceholders();
  project.write(
    'profile.yaml',
    ['name: loopback', `api_url: ${services.url}`, `dashboard_url: ${services.url}`]
      .concat([`docs_url: ${services.url}`, 'project_host: supabase.test'])
      .join('\n'),
  );
  // The probe needs what only the real services run. Here it tells that its turn has come, and with which key.
  project.write(
    'owner/waitlist.ts',
    `const { status } = await fetch('${services.url}/probe', {
      method: 'POST',
      headers: { authorization: process.env.SUPABASE_SECRET_KEY ?? '' },
      body: process.argv.slice(2).join(' '),
    });
    console.log('the key is', process.env.SUPABASE_SECRET_KEY);
    process.exitCode = status === 200 ? 0 : 1;`,
  );
});

afterAll(async () => {
  await services.stop();
  await supervisor.stopAll();
  project.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  services.reset();
  services.intercept = ({ path }) => (path === '/probe' ? [200, {}] : undefined);
  runs += 1;
  database = `${server}/deployment_${runs}`;
  await query(`${server}/postgres`, `create database deployment_${runs}`);
});

async function query(url: string, text: string): Promise<postgres.RowList<postgres.Row[]>> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end();
  }
}

async function countTables(): Promise<number> {
  const [row] = await query(
    database,
    `select count(*)::int as tables from information_schema.tables where table_schema in ('public', 'private')`,
  );
  return row?.['tables'];
}

function deploy(changes: Record<string, string | undefined> = {}, args: string[] = []) {
  return project.run('deploy/deploy.ts', args, {
    ...completeValues,
    SUPABASE_DB_URL: `${database.replace(':postgres@', ':[YOUR-PASSWORD]@')}?sslmode=disable`,
    SUPABASE_PROFILE: join(project.folder, 'profile.yaml'),
    CLOUDFLARE_API_BASE_URL: services.url,
    CI: '1',
    ...changes,
  });
}

const site = `/accounts/${completeValues.CLOUDFLARE_ACCOUNT_ID}/workers/scripts/dropyard`;
const supabase = '/v1/projects/abcdefghijklmnopqrst';

describe('a deployment', () => {
  it('changes the database, then the functions, then the site, and then looks at what is live', async () => {
    let tablesAtFirstCall: number | undefined;
    services.intercept = async ({ path }) => {
      tablesAtFirstCall ??= await countTables();
      return path === '/probe' ? [200, {}] : undefined;
    };
    const { status, output } = await deploy();
    expect(output).toContain('https://stash.test is live');
    expect(status).toBe(0);
    expect(tablesAtFirstCall).toBeGreaterThan(0);
    const changes = services.changes.map((change) => change.replace(/\?.*(slug=[\w-]+).*/, '?$1'));
    const order = [
      `POST ${supabase}/secrets`,
      `POST ${supabase}/functions/deploy?slug=resend-email`,
      `POST ${site}/assets-upload-session`,
      expect.stringMatching(`^PUT ${site}`),
      'POST /probe',
    ];
    expect(
      changes.filter((change) => order.slice(0, 3).includes(change) || change.endsWith('/probe')),
    ).toEqual([order[0], order[1], order[2], order[4]]);
    expect(changes).toEqual(expect.arrayContaining(order));
    expect(changes.at(-1)).toBe('POST /probe');
    const probe = services.calls.at(-1);
    expect(probe?.body).toBe('probe --site https://stash.test');
    expect(probe?.authorization).toBe(completeValues.SUPABASE_SECRET_KEY);
  });

  it('puts every function of supabase/config.toml in place, and hands over what they need', async () => {
    await deploy({ RESEND_BASE_URL: 'http://127.0.0.1:1', RESEND_WEBHOOK_SECRET: '' });
    const config = project.read('supabase/config.toml');
    const names = [...config.matchAll(/^\[functions\.([\w-]+)\]/gm)].map(([, name]) => name);
    const deployed = services.calls
      .filter(({ path }) => path.includes('/functions/deploy'))
      .map(({ path }) => new URL(path, services.url).searchParams.get('slug'));
    expect(deployed.sort()).toEqual(names.sort());
    const secrets = services.calls.find(({ path }) => path.endsWith('/secrets'));
    expect(JSON.parse(secrets?.body ?? '')).toEqual(
      expect.arrayContaining([
        { name: 'SITE_URL', value: 'https://stash.test' },
        { name: 'TOKEN_SECRET', value: completeValues.TOKEN_SECRET },
        { name: 'EMAIL_SENDER', value: "Stash O'Mark <hello@stash.test>" },
        { name: 'UNSUBSCRIBE_ADDRESS', value: 'leave@stash.test' },
        { name: 'RESEND_API_KEY', value: completeValues.RESEND_API_KEY },
      ]),
    );
    expect(secrets?.body).not.toMatch(/SUPABASE_|RESEND_BASE_URL|RESEND_WEBHOOK_SECRET/);
    expect(secrets?.authorization).toBe(`Bearer ${completeValues.SUPABASE_ACCESS_TOKEN}`);
  });

  it('uploads the site as the values describe it, with its rules for the host, to its own domain', async () => {
    await deploy();
    expect(project.read('dist/index.html')).toContain('<link rel="canonical" href="https://stash.test/">');
    const upload = services.calls.find(({ method, path }) => method === 'PUT' && path.startsWith(site));
    expect(upload?.body).toContain('/welcome/:name /welcome 200');
    const domain = services.calls.find(
      ({ method, path }) => method === 'PUT' && path.includes('/domains/records'),
    );
    expect(domain?.body).toContain('stash.test');
  });

  it('never shows a secret, not even one that a step prints', async () => {
    const { output } = await deploy();
    expect(output).toContain('the key is ***');
    for (const name of variableNames.filter((variable) => describeVariable(variable).isSecret)) {
      const secret = (completeValues as Partial<Record<typeof name, string>>)[name];
      // The password of the test database is its user's name as well.
      if (secret && name !== 'SUPABASE_DB_PASSWORD') expect(output).not.toContain(secret);
    }
  });

  it('can be done again', async () => {
    expect((await deploy()).status).toBe(0);
    const { status, output } = await deploy();
    expect(output).toContain('is live');
    expect(status).toBe(0);
  });

  it.each([
    [
      'build',
      { PUBLIC_SUPPORT_PHONE: '+49 30 5550143' },
      'migrations, secrets, functions, clock, site, probe',
    ],
    ['migrations', { SUPABASE_DB_PASSWORD: 'wrong' }, 'secrets, functions, clock, site, probe'],
  ])('stops when the step %s fails, and says what was not done', async (step, changes, rest) => {
    if (step === 'build') project.write('content/faq/broken.mdx', '---\nunknown: yes\n---\n');
    try {
      const { status, output } = await deploy(changes);
      expect(output).toContain(`The step "${step}" failed`);
      expect(output).toContain(`Not done after it: ${rest}.`);
      expect(status).toBe(1);
      expect(services.calls).toEqual([]);
      expect(await countTables()).toBe(0);
    } finally {
      project.delete('content/faq/broken.mdx');
    }
  });

  it.each([
    ['secrets', `${supabase}/secrets`, 'functions, clock, site, probe'],
    ['functions', `${supabase}/functions/deploy`, 'clock, site, probe'],
    ['site', `${site}/assets-upload-session`, 'probe'],
    ['probe', '/probe', undefined],
  ])('stops when the step %s is refused, and says what was not done', async (step, path, rest) => {
    services.intercept = (call) =>
      call.method !== 'GET' && call.path.startsWith(path) ? [403, { message: 'Refused here' }] : undefined;
    const { status, output } = await deploy();
    expect(output).toContain(`The step "${step}" failed`);
    if (rest) expect(output).toContain(`Not done after it: ${rest}.`);
    expect(status).toBe(1);
    expect(services.changes.at(-1)).toContain(path);
  });
});

describe('before anything is changed', () => {
  const required = variableNames.filter((name) => !describeVariable(name).isOptional);

  it.each(required)('a deployment without %s stops and names it', async (name) => {
    // Empty is what a workflow hands over for a secret that is not set.
    const { status, output } = await deploy({ [name]: '' });
    expect(output).toMatch(new RegExp(`Nothing was changed.*\\n  ${name} is missing`));
    expect(status).toBe(1);
    expect(services.calls).toEqual([]);
  });

  it('a deployment with placeholders stops and names each', async () => {
    project.write('src/site.ts', project.read('src/site.ts').replaceAll('.test/', '.example/'));
    try {
      const { status, output } = await deploy({ PUBLIC_SUPPORT_PHONE: '+1 (555) 555-0142' });
      expect(output).toContain('PUBLIC_SUPPORT_PHONE (+1 (555) 555-0142) is a placeholder');
      expect(output).toContain('social.discord in src/site.ts');
      expect(status).toBe(1);
      expect(services.calls).toEqual([]);
    } finally {
      project.replacePlaceholders();
    }
  });

  it('a deployment with malformed values stops and names each, without repeating it', async () => {
    const malformed = {
      PUBLIC_SITE_URL: 'stash.test',
      TOKEN_SECRET: 'too-short',
      PUBLIC_SUPABASE_ANON_KEY: 'sb_secret_in_the_wrong_place',
      SUPABASE_SECRET_KEY: 'sb_publishable_in_the_wrong_place',
      SUPABASE_DB_URL: 'https://db.test',
      CLOUDFLARE_ACCOUNT_ID: 'account-name',
    };
    const { status, output } = await deploy(malformed);
    for (const [name, value] of Object.entries(malformed)) {
      expect(output).toContain(`${name} is malformed`);
      expect(output).not.toContain(value);
    }
    expect(status).toBe(1);
  });

  it('a dry run lists the steps in their order and calls nobody', async () => {
    const { status, output } = await deploy({}, ['--dry-run']);
    const steps = [...output.matchAll(/^\d\/7 (\w+):/gm)].map(([, name]) => name);
    expect(steps).toEqual(['build', 'migrations', 'secrets', 'functions', 'clock', 'site', 'probe']);
    expect(status).toBe(0);
    expect(services.calls).toEqual([]);
    expect(await countTables()).toBe(0);
  });
});
