import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listVariables, readVariable } from '../../ground/variables.ts';
import { placeholders, social } from '../../src/site.ts';
import { Deployments } from './deployments.ts';
import { completeValues } from './project.ts';
import type { Call } from './services.ts';

const deployments = new Deployments();
const { services, project } = deployments;
const scripts = `/accounts/${completeValues.CLOUDFLARE_ACCOUNT_ID}/workers/scripts/dropyard`;
const supabase = '/v1/projects/abcdefghijklmnopqrst';

beforeAll(() => deployments.start());
afterAll(() => deployments.remove());
beforeEach(() => services.reset());

async function countTables(): Promise<number> {
  const [row] = await deployments.query(
    `select count(*)::int as tables from information_schema.tables where table_schema in ('public', 'private')`,
  );
  return row?.['tables'];
}

describe('before anything is changed', () => {
  it('a deployment stops and names every missing value', async () => {
    // A workflow passes an empty value for a secret that is not set.
    const { status, output } = await deployments.deploy({ TOKEN_SECRET: '', CLOUDFLARE_API_TOKEN: '' });
    expect(output).toMatch(
      /^Fix these before deploying:\n  TOKEN_SECRET is missing.*\n  CLOUDFLARE_API_TOKEN is missing.*\nNothing was changed\.\n$/m,
    );
    expect(status).toBe(1);
  });

  it('a deployment stops and names every placeholder', async () => {
    const { PUBLIC_SUPPORT_PHONE } = placeholders;
    const alternative = social.discord.alternative.replace('.example/', '.test/');
    project.edit('src/site.ts', alternative, 'https://chat.example/');
    const { status, output } = await deployments.deploy({ PUBLIC_SUPPORT_PHONE });
    project.replacePlaceholders();
    expect(output).toContain(`PUBLIC_SUPPORT_PHONE is a placeholder: replace ${PUBLIC_SUPPORT_PHONE}`);
    expect(output).toContain(
      'social.discord.alternative in src/site.ts is a placeholder: replace chat.example with your own.',
    );
    expect(status).toBe(1);
  });

  it('a deployment stops and names every malformed value, without repeating the value', async () => {
    const malformed = {
      PUBLIC_SITE_URL: 'without-scheme.test',
      TOKEN_SECRET: 'too-short',
      PUBLIC_SUPABASE_ANON_KEY: 'sb_secret_in_the_wrong_place',
      SUPABASE_SECRET_KEY: 'sb_publishable_in_the_wrong_place',
      SUPABASE_DB_URL: 'https://db.test',
      CLOUDFLARE_ACCOUNT_ID: 'account-name',
    };
    const { status, output } = await deployments.deploy(malformed);
    for (const [name, value] of Object.entries(malformed)) {
      expect(output).toContain(`${name} is malformed`);
      expect(output).not.toContain(value);
    }
    expect(status).toBe(1);
  });

  it('a dry run lists the steps in order', async () => {
    const { status, output } = await deployments.deploy({}, ['--dry-run']);
    const steps = [...output.matchAll(/^\d\/8 (\w+):/gm)].map(([, name]) => name);
    expect(steps).toEqual(['build', 'migrations', 'secrets', 'unset', 'functions', 'clock', 'site', 'probe']);
    expect(output).toMatch(/Nothing was changed: this was a dry run\.\n$/);
    expect(status).toBe(0);
  });

  it.each([
    ['a key that its service refuses', '/v1/projects', [401, {}], 'SUPABASE_ACCESS_TOKEN: .* refuses it'],
    // wrangler 4.155 reads this code as an account without a subdomain.
    [
      'an account without a workers.dev subdomain',
      '/workers/subdomain',
      [404, { success: false, errors: [{ code: 10007 }] }],
      'CLOUDFLARE_ACCOUNT_ID: .*Open Workers & Pages',
    ],
    [
      'a zone that is not active',
      '/zones?name=stash.test',
      [200, { success: true, result: [{ status: 'pending' }] }],
      'stash.test: .* is pending at Cloudflare. At your registrar, set the nameservers',
    ],
    [
      'a domain that is not at Cloudflare',
      '/zones',
      [200, { success: true, result: [] }],
      'stash.test: .* Add it',
    ],
  ] as const)('%s stops a deployment', async (_, path, [code, body], reason) => {
    services.intercept = (call) => (call.path.includes(path) ? [code, body] : undefined);
    const { status, output } = await deployments.deploy();
    expect(output).toMatch(new RegExp(`^Fix these before deploying:\\n  ${reason}`, 'm'));
    expect(status).toBe(1);
  });

  it.each([503, 429])(
    'a service that answers %i does not stop a deployment, and the last line mentions it',
    async (code) => {
      services.intercept = ({ path }) =>
        path.includes('/v1/projects') ? [code, '<!doctype html><p>Try again later'] : undefined;
      const { status, output } = await deployments.deploy({}, ['--dry-run']);
      expect(output).toContain(`not checked  SUPABASE_ACCESS_TOKEN: api.supabase.com answered ${code}\n`);
      expect(output).toMatch(/this was a dry run\. 1 value could not be checked\.\n$/);
      expect(status).toBe(0);
    },
  );

  it('a host with a CNAME record stops a deployment', async () => {
    const { status, output } = await deployments.deploy({ CNAME_OF: 'stash.test' });
    expect(output).toContain('  stash.test: it has a CNAME record, which Cloudflare does not replace');
    expect(status).toBe(1);
  });

  it('a password that the database refuses stops a deployment', async () => {
    const { status, output } = await deployments.deploy({ SUPABASE_DB_PASSWORD: 'wrong' });
    expect(output).toContain('  SUPABASE_DB_PASSWORD: the database refuses it');
    expect(status).toBe(1);
  });

  it('a build that fails stops a deployment', async () => {
    project.write('content/faq/broken.mdx', '---\nunknown: yes\n---\n');
    const { status, output } = await deployments.deploy();
    project.delete('content/faq/broken.mdx');
    expect(output).toMatch(/\nThe step "build" failed \(exit status 1\).*\n.* deploy again.*\n$/);
    expect(status).toBe(1);
  });

  afterEach(async () => {
    expect(services.changes).toEqual([]);
    expect(await countTables()).toBe(0);
  });
});

describe('a first deployment, without the webhook and the caller header', () => {
  let status: number;
  let output: string;
  let calls: Call[];
  let secrets: Map<string, string>;
  let domains: string[];
  let tablesAtFirstCall: number | undefined;

  beforeAll(async () => {
    services.secrets.set('CALLER_HEADER', 'of an earlier deployment').set('MINE', 'of the owner');
    services.intercept = async ({ method }) => {
      if (method !== 'GET') tablesAtFirstCall ??= await countTables();
      return undefined;
    };
    services.domains = ['www.stash.test'];
    ({ status, output } = await deployments.deploy({
      SITE_URL: 'https://www.stash.test',
      RESEND_BASE_URL: 'http://127.0.0.1:1',
      PUBLIC_DEV_MODE: 'true',
    }));
    domains = services.domains;
    calls = [...services.calls];
    secrets = new Map(services.secrets);
    deployments.keepBuild();
  });

  it('changes the database, then the functions, then the site, and probes what is live', () => {
    expect(output).toContain('https://stash.test is live');
    expect(status).toBe(0);
    expect(tablesAtFirstCall).toBeGreaterThan(0);
    const first = (path: string) =>
      calls.findIndex((call) => call.method !== 'GET' && call.path.includes(path));
    const order = [`${supabase}/secrets`, `${supabase}/functions`, `${scripts}/assets`, `${scripts}/domains`];
    const turns = [...order, '/functions/v1/resend-email'].map(first);
    expect(turns).not.toContain(-1);
    expect(turns).toEqual(turns.toSorted((one, other) => one - other));
    const findings = [...output.matchAll(/^    (ok|warning|failed) +([a-z- ]+?)  /gm)];
    expect(findings.filter(([, state]) => state !== 'ok').map(([, state, name]) => [state, name])).toEqual([
      ['warning', 'callers'],
      ['warning', 'delivery'],
    ]);
    expect(findings.at(-1)?.[2]).toBe('clean-up');
  });

  it('deploys every function of supabase/config.toml, whole', () => {
    const config = project.read('supabase/config.toml');
    const names = [...config.matchAll(/^\[functions\.([\w-]+)\]/gm)].map(([, name]) => name);
    const deployed = calls.filter(({ path }) => path.includes('/functions/deploy'));
    expect(
      deployed.map(({ path }) => new URL(path, services.url).searchParams.get('slug')).toSorted(),
    ).toEqual(names.toSorted());
    // With the files of other folders that it imports.
    for (const { body } of deployed) expect(body).toContain('filename="ground/database.ts"');
  });

  it('gives the functions their values, and removes those that are no longer set', () => {
    const call = calls.find(({ method, path }) => method === 'POST' && path.endsWith('/secrets'));
    expect(call?.authorization).toBe(`Bearer ${completeValues.SUPABASE_ACCESS_TOKEN}`);
    expect(Object.fromEntries(secrets)).toEqual({
      MINE: 'of the owner',
      SITE_URL: 'https://stash.test,https://www.stash.test',
      TOKEN_SECRET: completeValues.TOKEN_SECRET,
      PUBLIC_EMAIL_SENDER: completeValues.PUBLIC_EMAIL_SENDER,
      PUBLIC_UNSUBSCRIBE_ADDRESS: completeValues.PUBLIC_UNSUBSCRIBE_ADDRESS,
      RESEND_API_KEY: completeValues.RESEND_API_KEY,
    });
  });

  it('uploads the site that was built with the values, with its headers and redirects', () => {
    const landing = project.read('dist/index.html');
    expect(landing).toContain('<link rel="canonical" href="https://stash.test/">');
    expect(landing).toContain(`action="${completeValues.PUBLIC_SUPABASE_URL}/functions/v1/resend-email"`);
    const put = (path: string) => calls.find((call) => call.method === 'PUT' && call.path.startsWith(path));
    expect(put(`${scripts}?`)?.body).toContain(`; connect-src ${completeValues.PUBLIC_SUPABASE_URL};`);
    expect(put(`${scripts}?`)?.body).toContain('/welcome/:name /welcome 200');
  });

  it('attaches every host of the site, so that none is detached', () => {
    expect(domains).toEqual(['stash.test', 'www.stash.test']);
  });

  it('makes the database call the live function every minute, and keep its log for a week', async () => {
    const [deliver, prune] = await deployments.query('select * from cron.job order by jobname');
    expect(deliver).toMatchObject({ jobname: 'deliver-welcomes', schedule: '* * * * *' });
    expect(deliver?.['command']).toContain(
      `${completeValues.PUBLIC_SUPABASE_URL}/functions/v1/resend-email/deliver`,
    );
    expect(deliver?.['command']).toContain(completeValues.PUBLIC_SUPABASE_ANON_KEY);
    expect(prune?.['command']).toMatch(/delete from cron\.job_run_details .*7 days/);
  });

  it('never shows a secret', () => {
    for (const name of listVariables('owner').filter((variable) => readVariable(variable).isSecret)) {
      const secret = (completeValues as Partial<Record<typeof name, string>>)[name];
      if (secret) expect(output).not.toContain(secret);
    }
  });

  it.each([
    ['secrets', `${supabase}/secrets`],
    ['functions', `${supabase}/functions/deploy`],
    ['site', `${scripts}/assets-upload-session`],
    ['probe', '/functions/v1/resend-email'],
  ])('stops when the step %s fails', async (step, path) => {
    const message = `Refused: ${completeValues.TOKEN_SECRET}`;
    services.intercept = (call) =>
      call.method !== 'GET' && call.path.startsWith(path)
        ? [403, { message, errors: [{ code: 1, message }] }]
        : undefined;
    const refused = await deployments.deploy();
    expect(refused.output).toContain(`The step "${step}" failed`);
    expect(refused.output).toContain('Refused: ***');
    expect(refused.status).toBe(1);
    expect(services.changes.filter((change) => !change.includes('/rest/')).at(-1)).toContain(path);
  });

  it('can be repeated after a step has failed', async () => {
    services.secrets.set('TOKEN_SECRET', 'of an earlier deployment').set('MINE', 'of the owner');
    const again = await deployments.deploy();
    expect(again.output).toContain('There is nothing to remove.');
    expect(again.output).toContain('is live');
    expect(again.status).toBe(0);
    expect(services.secrets.get('TOKEN_SECRET')).toBe(completeValues.TOKEN_SECRET);
    expect(services.secrets.get('MINE')).toBe('of the owner');
  });

  it('says which DNS record to delete when Cloudflare finds one at the upload', async () => {
    // https://github.com/cloudflare/workers-sdk/issues/9878: a record that Cloudflare proxies shows no CNAME in DNS.
    const message = "Hostname 'stash.test' already has externally managed DNS records (A, CNAME, etc).";
    services.intercept = ({ path }) =>
      path.endsWith('/domains/records')
        ? [400, { success: false, errors: [{ code: 100117, message }], messages: [], result: null }]
        : undefined;
    const refused = await deployments.deploy();
    expect(refused.output).toContain('code: 100117');
    expect(refused.output).toContain('delete the CNAME record of each host of the site');
    expect(refused.status).toBe(1);
  });
});
