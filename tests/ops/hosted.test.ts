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

it('the flag --hosted names the values that are missing', async () => {
  const { PUBLIC_SITE_URL } = completeValues;
  const { status, output } = await readLimits({ PUBLIC_SITE_URL });
  expect(output).toContain('\n  PUBLIC_SUPABASE_URL is missing: ');
  expect(output).toContain('\n  SUPABASE_SECRET_KEY is missing: ');
  expect(status).toBe(2);
});

it('makes a command work on the deployment in .env alone, and print its URL for people only', async () => {
  const { SUPABASE_SECRET_KEY } = completeValues;
  const site = "PUBLIC_SITE_URL='https://stash.test'";
  project.write(
    '.env',
    `${site}\nPUBLIC_SUPABASE_URL='${services.url}'\nSUPABASE_SECRET_KEY='${SUPABASE_SECRET_KEY}'\n`,
  );
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
