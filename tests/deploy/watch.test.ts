import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { completeValues, Project } from './project.ts';
import { Services } from './services.ts';

const services = new Services();
const project = new Project();
const issues = '/repos/stash/site/issues';
/** The issues that are open, by number. */
let open: { number: number; body?: string; pull_request?: object }[] = [];

beforeAll(async () => {
  await services.start();
  services.intercept = ({ method, path }) => {
    if (path.startsWith('/refused')) return [403, {}];
    return method === 'GET' && path.startsWith(issues) ? [200, open] : [200, {}];
  };
  project.write(
    'owner/waitlist.ts',
    `console.log('ok      asked to', process.argv.slice(2).join(' '));
    console.log('failed  ' + process.env.PROBE_FAILURE.padEnd(13) + '  ~~~~ ' + process.env.SUPABASE_SECRET_KEY + ' ' + process.env.GITHUB_TOKEN);
    console.log('failed  sign-up        over a limit, free again in ' + Date.now() + ' s');
    process.exitCode = Number(process.env.PROBE_STATUS);`,
  );
});

afterEach(() => {
  services.calls.length = 0;
  open = [];
});

afterAll(async () => {
  await services.stop();
  project.remove();
});

function watch(status: 0 | 1 | 130, changes: Record<string, string> = {}) {
  return project.run('deploy/watch.ts', [], {
    ...completeValues,
    PROBE_STATUS: String(status),
    PROBE_FAILURE: 'welcome',
    GITHUB_REPOSITORY: 'stash/site',
    GITHUB_TOKEN: 'token-of-the-workflow',
    GITHUB_API_URL: services.url,
    GITHUB_SERVER_URL: 'https://github.test',
    GITHUB_RUN_ID: '7',
    ...changes,
  });
}

describe('the watch', () => {
  it('opens an issue with what the probe found, and without a secret', async () => {
    const { status, output } = await watch(1);
    expect(status).toBe(1);
    expect(services.changes).toEqual([`POST ${issues}`]);
    const { body, authorization } = services.calls[1]!;
    expect(authorization).toBe('Bearer token-of-the-workflow');
    expect(JSON.parse(body)).toMatchObject({
      title: 'Alarm: https://stash.test is not well',
      labels: ['alarm'],
    });
    expect(body).toContain('failed  welcome         *** undefined');
    expect(body).toContain('https://github.test/stash/site/actions/runs/7');
    expect(body + output).not.toContain(completeValues.SUPABASE_SECRET_KEY);
  });

  it('has the probe expect what is switched on', async () => {
    const whsec = 'whsec_of_the_tests';
    expect((await watch(0)).output).toMatch(/asked to probe --site https:\/\/stash\.test$/m);
    expect((await watch(0, { CALLER_HEADER: 'X-Caller', RESEND_WEBHOOK_SECRET: whsec })).output).toMatch(
      /asked to .* --expect callers delivery$/m,
    );
  });

  it('renews the issue that is open, and opens no second one', async () => {
    open = [{ number: 3, pull_request: {} }, { number: 4 }];
    expect((await watch(1)).status).toBe(1);
    expect(services.changes).toContain(`PATCH ${issues}/4`);
    expect(services.changes).not.toContain(`POST ${issues}`);
  });

  it('tells those who watch the issue when something else is wrong, and not each time', async () => {
    await watch(1);
    const { body } = JSON.parse(services.calls.at(-1)?.body ?? '') as { body: string };
    open = [{ number: 4, body: body.replaceAll('\n', '\r\n') }];
    services.calls.length = 0;
    await watch(1);
    expect(services.changes).toEqual([`PATCH ${issues}/4`]);
    services.calls.length = 0;
    await watch(1, { PROBE_FAILURE: 'headers' });
    expect(services.changes).toEqual([`PATCH ${issues}/4`, `POST ${issues}/4/comments`]);
    expect(services.calls.at(-1)?.body).toContain('failed  headers');
  });

  it('raises no alarm when somebody stopped it', async () => {
    expect((await watch(130)).status).toBe(130);
    expect(services.calls).toEqual([]);
  });

  it('closes the issue once all is well', async () => {
    open = [{ number: 4 }];
    expect((await watch(0)).status).toBe(0);
    expect(services.changes).toEqual([`POST ${issues}/4/comments`, `PATCH ${issues}/4`]);
    expect(JSON.parse(services.calls.at(-1)?.body ?? '')).toMatchObject({ state: 'closed' });
  });

  it('leaves the issues alone as long as all is well', async () => {
    expect((await watch(0)).status).toBe(0);
    expect(services.changes).toEqual([]);
  });

  it('fails when the alarm cannot be set, and says so', async () => {
    const { status, output } = await watch(0, { GITHUB_API_URL: `${services.url}/refused` });
    expect(output).toContain('The alarm could not be set: GitHub answered 403');
    expect(status).toBe(1);
  });

  it('tells by its exit status alone outside of a workflow', async () => {
    expect((await watch(1, { GITHUB_TOKEN: '' })).status).toBe(1);
    expect(services.calls).toEqual([]);
  });

  it('names what it cannot probe without, and opens an issue: it was there before', async () => {
    const { status, output } = await watch(0, { PUBLIC_SITE_URL: '', SUPABASE_SECRET_KEY: '' });
    expect(output).toContain('Missing: PUBLIC_SITE_URL, SUPABASE_SECRET_KEY.');
    expect(status).toBe(1);
    expect(services.changes).toEqual([`POST ${issues}`]);
    expect(services.calls.at(-1)?.body).toContain('Missing: PUBLIC_SITE_URL, SUPABASE_SECRET_KEY.');
  });

  it('does nothing in a repository that has no secrets yet, and says so', async () => {
    const none = { PUBLIC_SITE_URL: '', PUBLIC_SUPABASE_URL: '', SUPABASE_SECRET_KEY: '' };
    const { status, output } = await watch(1, none);
    expect(output).toContain('nothing is live');
    expect(status).toBe(0);
    expect(services.calls).toEqual([]);
    expect((await watch(1, { ...none, GITHUB_TOKEN: '' })).status).toBe(1);
  });
});
