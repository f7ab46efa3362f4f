import { afterAll, beforeAll, expect, it } from 'vitest';
import { completeValues, Project } from './project.ts';
import { Services } from './services.ts';

const services = new Services();
const project = new Project();

beforeAll(async () => {
  await services.start();
  services.intercept = () => [200, []];
});
afterAll(async () => {
  await services.stop();
  project.remove();
});

const readLimits = (environment: Record<string, string> = {}, args = ['limits', '--json', '--hosted']) =>
  project.run('ops/waitlist.ts', args, environment);
const writeEnvFile = (values: Record<string, string>) =>
  project.write(
    '.env',
    Object.entries(values)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
  );

it('the flag --hosted names the values that are missing, and works without a file .env, as in a workflow', async () => {
  const { PUBLIC_SITE_URL, SUPABASE_SECRET_KEY } = completeValues;
  const { status, output } = await readLimits({ PUBLIC_SITE_URL });
  expect(output).toContain('\n  PUBLIC_SUPABASE_URL is missing: ');
  expect(output).toContain('\n  SUPABASE_SECRET_KEY is missing: ');
  expect(status).toBe(2);
  const values = { PUBLIC_SITE_URL, PUBLIC_SUPABASE_URL: services.url, SUPABASE_SECRET_KEY };
  expect((await readLimits(values)).stdout).toBe('[]\n');
  services.reset();
  services.intercept = () => [200, []];
});

it('makes a command work on the deployment in .env alone, and print its URL for people only', async () => {
  const { SUPABASE_SECRET_KEY } = completeValues;
  writeEnvFile({
    PUBLIC_SITE_URL: 'https://stash.test',
    PUBLIC_SUPABASE_URL: services.url,
    SUPABASE_SECRET_KEY,
  });
  // Values in the environment may belong to another project.
  const other = {
    PUBLIC_SUPABASE_URL: 'https://another.test',
    SUPABASE_SECRET_KEY: 'sb_secret_of_another_project',
  };
  const { status, output, stdout } = await readLimits(other);
  expect(output).toBe(`At ${services.url}\n[]\n`);
  expect(stdout).toBe('[]\n');
  expect(status).toBe(0);
  expect(services.calls).toMatchObject([
    { path: '/rest/v1/rpc/list_limits', authorization: SUPABASE_SECRET_KEY },
  ]);
});

it('without it, a command does not read .env', async () => {
  const { status, output } = await readLimits({}, ['limits']);
  expect(output).toContain('There is no waitlist to work on. Start the local stack');
  expect(status).toBe(2);
});
