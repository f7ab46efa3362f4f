import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkValues } from '../../ops/deploy/check-values.ts';
import { listVariables, readVariable, type Values } from '../../shared/variables.ts';
import { completeValues, Project } from './project.ts';
import { type Answer, Services } from './services.ts';

const owners = listVariables('owner');

describe('set-up', () => {
  const services = new Services();
  const project = new Project();
  const file = join(project.folder, '.env');
  const setUp = () => project.run('ops/deploy/setup.ts', [], { SERVICES_URL: services.url });
  const { TOKEN_SECRET: _, ...values } = completeValues;

  beforeAll(async () => {
    project.replacePlaceholders();
    await services.start();
  });
  afterAll(async () => {
    await services.stop();
    project.remove();
  });

  it('writes every value, with what it is and where to find it, to a file that only its owner can read', async () => {
    const { status, output } = await setUp();
    const written = project.read('.env');
    for (const name of owners) {
      const { hint, source, isOptional } = readVariable(name);
      const [comment, line] = written.slice(written.indexOf(`# ${hint}`)).split('\n');
      expect(comment).toContain(source);
      expect(line?.startsWith(isOptional ? `# ${name}=` : `${name}=`), name).toBe(true);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { TOKEN_SECRET } = parseEnv(written);
    expect(TOKEN_SECRET).toMatch(/^[\w-]{43}$/);
    expect(output).toMatch(/^TOKEN_SECRET is new\. Keep a copy of it\.\nIf the site is already live, STOP/m);
    expect(output).not.toContain(TOKEN_SECRET);
    expect(output).toContain('\n  PUBLIC_SITE_URL is missing: ');
    expect(output).toMatch(/\nThen run this again\.\n$/);
    expect(status).toBe(1);
  });

  it('checks each key with its service once all values are filled in, and changes nothing', async () => {
    let filled = project.read('.env');
    for (const [name, value] of Object.entries(values))
      filled = filled.replace(`${name}=''`, () => `${name}=${JSON.stringify(value)}`);
    writeFileSync(file, filled);
    const { status, output } = await setUp();
    const checked = [...output.matchAll(/^ok +([\w.]+): /gm)].map(([, name]) => name);
    expect(checked).toEqual([
      ...['PUBLIC_SUPABASE_ANON_KEY', 'SUPABASE_SECRET_KEY', 'SUPABASE_ACCESS_TOKEN'],
      ...['RESEND_API_KEY', 'stash.test', 'CLOUDFLARE_API_TOKEN'],
    ]);
    expect(output).toMatch(/\nNothing is missing\.\nNext: npm run deploy -- --dry-run .*\n$/);
    expect(status).toBe(0);
    expect(project.read('.env')).toBe(filled);
    for (const name of owners.filter((each) => readVariable(each).isSecret && each in values))
      expect(output).not.toContain((values as Values)[name]);
  });

  it('keeps every line, adds only what is missing, and names what is wrong without sending it anywhere', async () => {
    const mine = `# mine\nOTHER='a b' # kept\nexport PUBLIC_SITE_URL=stash.test
TOKEN_SECRET=short-and-secret\nSUPABASE_DB_PASSWORD=ab#cd\nPUBLIC_SUPABASE_URL=https://supabase.com/dashboard
RESEND_WEBHOOK_SECERT=whsec_x\nRESEND_API_KEY=re_refused`;
    writeFileSync(file, mine);
    chmodSync(file, 0o644);
    services.reset();
    services.intercept = ({ authorization }) =>
      // https://resend.com/docs/api-reference/errors
      authorization.includes('refused') ? [403, { name: 'invalid_api_key' }] : undefined;
    const { status, output } = await setUp();
    const added = project.read('.env').slice(mine.length);
    expect(project.read('.env').startsWith(mine)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(added).toMatch(/^\n\n# [^]*\nCLOUDFLARE_API_TOKEN=''\n$/);
    for (const [name] of mine.matchAll(/[A-Z_]{6,}(?==)/g)) expect(added).not.toContain(`${name}=`);
    for (const problem of [
      ...['PUBLIC_SITE_URL is malformed', 'TOKEN_SECRET is malformed', 'PUBLIC_SUPABASE_URL is malformed'],
      ...['SUPABASE_DB_PASSWORD is malformed: write', 'CLOUDFLARE_API_TOKEN is missing'],
      'RESEND_API_KEY: api.resend.com refuses it',
    ])
      expect(output).toContain(`\n  ${problem}`);
    expect(output).toMatch(/^LOOK +RESEND_WEBHOOK_SECERT: .* Did you mean RESEND_WEBHOOK_SECRET\?$/m);
    expect(output).not.toMatch(/TOKEN_SECRET is new|short-and-secret|ab#cd/);
    expect(services.calls.map(({ path }) => path)).toEqual(['/domains']);
    expect(status).toBe(1);
  });
});

describe('the check of the values', () => {
  const lines: string[] = [];
  const verified = { id: 'd1', name: 'stash.test', status: 'verified' };

  /** Checks complete values with services that answer everything with `{}`, but for one path. */
  async function check(path: string, [status, body]: Answer, changes: Values = {}): Promise<string> {
    vi.spyOn(console, 'log').mockImplementation((text) => void lines.push(text));
    vi.stubGlobal('fetch', async (url: string) => {
      const isOther = new URL(url).pathname !== path;
      if (status === 0) throw new Error('no network in this test');
      return isOther ? Response.json({ data: [verified] }) : Response.json(body, { status });
    });
    return (await checkValues({ ...completeValues, ...changes }, '')).remark;
  }
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    lines.length = 0;
  });

  it.each<[what: string, path: string, answer: Answer, line: RegExp]>([
    ['does not know', '/domains', [200, { data: [] }], /^LOOK +stash\.test: it is not among your domains/m],
    [
      'has not verified',
      '/domains',
      [200, { data: [{ ...verified, status: 'pending' }] }],
      /^LOOK +stash\.test: Resend has not verified it/m,
    ],
    [
      'tracks clicks at',
      '/domains/d1',
      [200, { click_tracking: true }],
      /^LOOK +stash\.test: tracking .* is on/m,
    ],
  ])('says when Resend %s the domain of the sender', async (_, path, answer, line) => {
    expect(await check(path, answer, { PUBLIC_SITE_URL: 'https://waitlist.me.workers.dev' })).toBe(
      ' 1 needs a look.',
    );
    expect(lines.join('\n')).toMatch(line);
  });

  it('accepts a key of Resend that may only send', async () => {
    // https://resend.com/docs/api-reference/errors
    await check('/domains', [401, { name: 'restricted_api_key' }]);
    expect(lines.join('\n')).toMatch(/^ok +RESEND_API_KEY/m);
  });

  it('says how many values could not be checked', async () => {
    expect(await check('', [0, ''])).toBe(' 5 values could not be checked.');
    expect(lines.join('\n').match(/^not checked .* cannot be reached from here$/gm)).toHaveLength(5);
  });
});
