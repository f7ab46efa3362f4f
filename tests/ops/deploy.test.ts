import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planDeployment } from '../../ops/deploy/steps.ts';
import { functionNames } from '../../shared/variables.ts';
import { placeholders } from '../../src/config/site.ts';
import { Deployments } from './deployments.ts';
import { completeValues } from './project.ts';
import type { Call } from './services.ts';

const deployments = new Deployments();
const { services, project } = deployments;
const scripts = `/accounts/${completeValues.CLOUDFLARE_ACCOUNT_ID}/workers/scripts/stash-test`;
const supabase = '/v1/projects/abcdefghijklmnopqrst';
const steps = planDeployment(completeValues).map(({ name }) => name);

beforeAll(() => deployments.start());
afterAll(() => deployments.remove());
beforeEach(() => services.reset());

describe('before anything is changed', () => {
  it('a deployment stops and names every value with a fault and every refused key', async () => {
    services.intercept = ({ path }) => (path.startsWith(supabase) ? [401, {}] : undefined);
    const { PUBLIC_SUPPORT_PHONE } = placeholders;
    const { status, output } = await deployments.deploy({
      SUPABASE_SECRET_KEY: 'sb_publishable_hidden',
      // A workflow passes an empty value for a secret that is not set.
      TOKEN_SECRET: '',
      PUBLIC_SUPPORT_PHONE,
    });
    const [, list = ''] = output.split('Fix these before deploying:');
    for (const fault of [
      'TOKEN_SECRET is missing',
      'SUPABASE_SECRET_KEY is malformed',
      `PUBLIC_SUPPORT_PHONE is a placeholder: replace ${PUBLIC_SUPPORT_PHONE}`,
      'SUPABASE_ACCESS_TOKEN: api.supabase.com refuses it: 401.',
    ])
      expect(list).toContain(`\n  ${fault}`);
    expect(output).not.toContain('sb_publishable_hidden');
    // No service is asked about a key with a fault.
    expect(services.calls.map(({ authorization }) => authorization)).not.toContain('sb_publishable_hidden');
    expect(list).toMatch(/\nNothing was changed\.( \d values? could not be checked\.)?\n$/);
    expect(status).toBe(1);
  });

  it.each(['edge_functions_read', 'edge_functions_secrets_read'])(
    'a deployment stops at an access token without %s, and says so',
    async (right) => {
      services.rights.delete(right);
      const { status, output } = await deployments.deploy();
      expect(output).toMatch(
        new RegExp(`\\n  SUPABASE_ACCESS_TOKEN: .*403.*\\(missing: ${right}\\)\\. Create one`),
      );
      expect(status).toBe(1);
    },
  );

  it('a deployment stops at a wrong password of the database', async () => {
    const { status, output } = await deployments.deploy({ SUPABASE_DB_PASSWORD: 'wrong' });
    expect(output).toMatch(/\n {2}SUPABASE_DB_PASSWORD: The database at .* password authentication failed/);
    expect(status).toBe(1);
  });

  it('a dry run lists the steps in order, and its last line says what could not be checked', async () => {
    services.intercept = ({ path }) => (path.startsWith(supabase) ? [503, '<!doctype html>'] : undefined);
    const { status, output } = await deployments.deploy({}, ['--dry-run']);
    expect([...output.matchAll(/^\d+\/\d+ (\w+):/gm)].map(([, name]) => name)).toEqual(steps);
    expect(output).toContain('not checked  SUPABASE_ACCESS_TOKEN: api.supabase.com is overloaded or down');
    expect(output).toMatch(/this was a dry run\. 2 values could not be checked\.\n$/);
    expect(status).toBe(0);
  });

  afterEach(async () => {
    expect(services.changes).toEqual([]);
    const tables = `select from information_schema.tables where table_schema in ('public', 'private')`;
    expect(await deployments.query(tables)).toEqual([]);
  });
});

describe('a first deployment', () => {
  let status: number;
  let output: string;
  let calls: Call[];
  let secrets: Map<string, string>;
  let recordsAtFirstCall: unknown;

  beforeAll(async () => {
    services.secrets.set('RESEND_WEBHOOK_SECRET', 'of an earlier deployment').set('MINE', 'of the owner');
    services.secrets.set('CALLER_HEADER', 'cf-connecting-ip');
    services.intercept = async ({ method }) => {
      if (method !== 'GET') recordsAtFirstCall ??= await deployments.query('select from private.deployment');
      return undefined;
    };
    ({ status, output } = await deployments.deploy({
      SITE_URL: 'https://www.stash.test',
      RESEND_BASE_URL: 'http://127.0.0.1:1',
    }));
    calls = [...services.calls];
    secrets = new Map(services.secrets);
  });

  it('changes the database, then the functions, then the site, and fails if the probe of what is live does', () => {
    expect(output).toMatch(/\n {4}failed +pages .*\n {4}failed +database .*\nThe step "probe" failed/s);
    expect(status).toBe(1);
    expect(recordsAtFirstCall, 'it has refused a wrong TOKEN_SECRET by then').toHaveLength(1);
    const order = [
      ...[`${supabase}/secrets`, `${supabase}/functions`, '/functions/v1/resend-email/caller'],
      ...[`${scripts}/assets`, `${scripts}/domains`, '/rest/v1/rpc/summarize_waitlist'],
    ];
    const turns = order.map((path) =>
      // An old secret that is removed says nothing about when the new ones are set.
      calls.findIndex((call) => !/^(GET|DELETE)$/.test(call.method) && call.path.includes(path)),
    );
    expect(turns).not.toContain(-1);
    expect(turns).toEqual(turns.toSorted((one, other) => one - other));
  });

  it('deploys every function from its folder, and each authenticates callers itself', () => {
    const uploads = calls.filter(({ path }) => path.includes('/functions/deploy'));
    for (const name of functionNames) {
      const body = uploads.find(({ path }) => path.includes(`slug=${name}&`))?.body;
      expect(body).toMatch(new RegExp(`"entrypoint_path":"functions/${name}/index.ts".*"verify_jwt":false`));
    }
  });

  it('gives the functions their values, keeps a caller header that still works, and removes those that are no longer set', () => {
    expect(Object.fromEntries(secrets)).toEqual({
      MINE: 'of the owner',
      SITE_URL: 'https://stash.test,https://www.stash.test',
      TOKEN_SECRET: completeValues.TOKEN_SECRET,
      PUBLIC_SUPABASE_URL: completeValues.PUBLIC_SUPABASE_URL,
      PUBLIC_EMAIL_SENDER: completeValues.PUBLIC_EMAIL_SENDER,
      PUBLIC_UNSUBSCRIBE_ADDRESS: completeValues.PUBLIC_UNSUBSCRIBE_ADDRESS,
      RESEND_API_KEY: completeValues.RESEND_API_KEY,
      CALLER_HEADER: 'cf-connecting-ip',
    });
  });

  it('uploads the built site with its headers and redirects, and keeps every host at Cloudflare', () => {
    const upload = calls.find((call) => call.method === 'PUT' && call.path.startsWith(`${scripts}?`));
    for (const file of ['_headers', '_redirects'])
      expect(upload?.body).toContain(JSON.stringify(project.read(`dist/${file}`)).slice(1, -1));
    // Only the live site would miss them: the local host has rules of its own.
    expect(upload?.body).toMatch(/"html_handling":"drop-trailing-slash","not_found_handling":"404-page"/);
    const records = calls.find(({ path }) => path === `${scripts}/domains/records`);
    const hosts = ['stash.test', 'www.stash.test'].map((hostname) => ({ hostname }));
    expect(JSON.parse(records!.body)).toMatchObject({ origins: hosts });
  });

  it('can be repeated, finds a caller header, and leaves one job of each kind and its version', async () => {
    // https://github.com/cloudflare/workers-sdk/issues/9878: only the upload finds a DNS record that is in the way.
    const message = `Hostname 'stash.test' has other records. Token: ${completeValues.CLOUDFLARE_API_TOKEN}.`;
    services.intercept = ({ path }) =>
      path.endsWith('/domains/records')
        ? [400, { success: false, errors: [{ code: 100117, message }], messages: [], result: null }]
        : undefined;
    await deployments.query(`update private.deployment set version = 'older', deployed_at = 'epoch'`);
    const again = await deployments.deploy();
    const kept = `select from private.deployment where version = 'older' or deployed_at = 'epoch'`;
    expect(await deployments.query(kept)).toEqual([]);
    expect(again.output).toMatch(/Token: \*\*\*\. .*100117/);
    expect(again.output).toMatch(/The step "site" failed, and no later step was run\. .*include the account/);
    // wrangler colors its errors.
    expect(again.output).not.toContain('u001b');
    expect(again.output).not.toMatch(/^\d+\/\d+ probe/m);
    expect(again.status).toBe(1);
    expect(services.secrets.get('CALLER_HEADER')).toMatch(/^(cf-connecting-ip|x-forwarded-for)$/);
    const PUBLIC_SUPABASE_URL = `${completeValues.PUBLIC_SUPABASE_URL}/`;
    const plan = planDeployment({ ...completeValues, PUBLIC_SUPABASE_URL });
    const clock = plan.find(({ name }) => name === 'clock')!.args!.at(-1)!;
    // The session pooler hands the same connection to one deployment after the other.
    const jobs = await deployments.query(clock, clock, clock, 'select * from cron.job order by jobname');
    const command = expect.stringContaining(`'${PUBLIC_SUPABASE_URL}functions/v1/resend-email/deliver'`);
    expect(jobs).toMatchObject([{ jobname: 'deliver-welcomes', command }, { jobname: 'prune-cron-log' }]);
  });

  it('removes a caller header that cannot be trusted, and says that nobody is limited', async () => {
    services.secrets.set('CALLER_HEADER', 'x-real-ip');
    services.intercept = ({ path }) =>
      path.endsWith('/caller') ? [200, { header: 'x-real-ip', callers: {} }] : undefined;
    const { status: last, output: text } = await deployments.deploy({}, [], 'caller');
    expect(text).toMatch(/^    warning .*Callers are not limited.*\n.* is live\.\n$/m);
    expect(services.secrets.has('CALLER_HEADER')).toBe(false);
    expect(last).toBe(0);
  });

  it('refuses a TOKEN_SECRET that did not make the hashes of the database, until the owner says that the old one is lost', async () => {
    const TOKEN_SECRET = 'another-secret-of-the-tests-0123456789';
    const front = { TOKEN_SECRET: `${TOKEN_SECRET}, ${completeValues.TOKEN_SECRET}` };
    expect((await deployments.deploy(front, ['--dry-run'])).output).toContain('ok           TOKEN_SECRET: ');
    services.calls.length = 0;
    const refused = await deployments.deploy({ TOKEN_SECRET });
    expect(refused.output).toMatch(/\n {2}TOKEN_SECRET: its last secret is not the one/);
    const unasked = await deployments.deploy({ TOKEN_SECRET }, ['--new-token-secret']);
    expect(unasked.output).toContain('Add --yes.');
    expect(services.changes).toEqual([]);
    await deployments.deploy({ TOKEN_SECRET }, ['--new-token-secret', '--yes'], 'secrets');
    expect(services.secrets.get('TOKEN_SECRET')).toBe(TOKEN_SECRET);
  });
});

describe('a command on the deployment', () => {
  const { PUBLIC_SITE_URL, SUPABASE_SECRET_KEY } = completeValues;
  const run = (args: string[], environment: Record<string, string> = {}) =>
    project.run('ops/waitlist.ts', ['limits', '--json', ...args], environment);

  it('names the values that are missing', async () => {
    const { status, output } = await run(['--hosted'], { PUBLIC_SITE_URL });
    expect(output).toContain('\n  PUBLIC_SUPABASE_URL is missing: ');
    expect(output).toContain('\n  SUPABASE_SECRET_KEY is missing: ');
    expect(status).toBe(2);
  });

  it('reads .env alone, but only with --hosted', async () => {
    const keys = `SUPABASE_SECRET_KEY='${SUPABASE_SECRET_KEY}'\nPUBLIC_SUPABASE_URL='${services.url}'\n`;
    project.write('.env', `PUBLIC_SITE_URL='${PUBLIC_SITE_URL}'\n${keys}`);
    services.intercept = () => [200, []];
    // Values in the environment may belong to another project.
    const others = { PUBLIC_SUPABASE_URL: 'https://another.test', SUPABASE_SECRET_KEY: 'sb_secret_other' };
    expect(await run(['--hosted'], others)).toEqual({ status: 0, output: `At ${services.url}\n[]\n` });
    const call = { path: '/rest/v1/rpc/list_limits', authorization: SUPABASE_SECRET_KEY };
    expect(services.calls).toMatchObject([call]);
    const { status, output } = await run([], others);
    expect(output).toContain('There is no waitlist to work on. Start the local stack');
    expect(status).toBe(2);
  });
});
