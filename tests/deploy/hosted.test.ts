import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeValues, Project } from './project.ts';
import { Services } from './services.ts';

const services = new Services();
const project = new Project();

beforeAll(async () => {
  await services.start();
  services.intercept = ({ path }) => [200, path.endsWith('list_members') ? [] : 7];
});

afterAll(async () => {
  await services.stop();
  project.remove();
});

const waitlist = (args: string[], environment: Record<string, string> = {}) =>
  project.run('owner/waitlist.ts', args, environment);

const writeEnvFile = () =>
  project.write(
    '.env',
    `PUBLIC_SITE_URL=https://stash.test\nPUBLIC_SUPABASE_URL=${services.url}\nSUPABASE_SECRET_KEY=${completeValues.SUPABASE_SECRET_KEY}\n`,
  );

describe('the flag --hosted', () => {
  it('makes a command suggest set-up while .env is missing', async () => {
    const { status, output } = await waitlist(['--hosted', 'count']);
    expect(output).toContain('npm run setup');
    expect(status).toBe(2);
  });

  it.each(['PUBLIC_SITE_URL', 'PUBLIC_SUPABASE_URL', 'SUPABASE_SECRET_KEY'] as const)(
    'points to set-up while .env lacks %s',
    async (missing) => {
      const { [missing]: _, ...others } = completeValues;
      project.write(
        '.env',
        Object.entries(others)
          .map(([name, value]) => `${name}="${value}"\n`)
          .join(''),
      );
      const { status, output } = await waitlist(['--hosted', 'count']);
      project.delete('.env');
      expect(output).toMatch(
        new RegExp(
          `^The file \\.env does not describe a deployment\\. Run npm run setup\\.\n  ${missing} is missing: .+\n$`,
        ),
      );
      expect(status).toBe(2);
    },
  );

  it('makes a command name each value of .env that is malformed, without printing it', async () => {
    project.write(
      '.env',
      'PUBLIC_SITE_URL=https://stash.test\nPUBLIC_SUPABASE_URL=abc\nSUPABASE_SECRET_KEY=sb_publishable_hidden\n',
    );
    const { status, output } = await waitlist(['--hosted', 'count']);
    expect(output).toContain('\n  PUBLIC_SUPABASE_URL is malformed: ');
    expect(output).toContain('\n  SUPABASE_SECRET_KEY is malformed: ');
    expect(output).not.toContain('hidden');
    expect(status).toBe(2);
  });

  it('makes a command work on the deployment in .env, and print its URL for people only', async () => {
    writeEnvFile();
    const { status, output, stdout } = await waitlist(['--hosted', 'count']);
    expect(output).toBe(`At ${services.url}\n7\n`);
    expect(stdout).toBe('7\n');
    expect(status).toBe(0);
    expect(services.calls.map(({ path }) => path)).toEqual(['/rest/v1/rpc/count_members']);
  });

  it('makes a command ignore values in the environment, which may belong to another project', async () => {
    services.calls.length = 0;
    const { output } = await waitlist(['--hosted', 'count'], {
      PUBLIC_SUPABASE_URL: 'https://another.test',
      SUPABASE_SECRET_KEY: 'sb_secret_of_another_project',
    });
    expect(output).toBe(`At ${services.url}\n7\n`);
    expect(services.calls.map(({ authorization }) => authorization)).toEqual([
      completeValues.SUPABASE_SECRET_KEY,
    ]);
  });

  it.each([
    ['count', '--hosted'],
    ['list', '--hosted'],
    ['limits', '--hosted'],
    ['limits', 'set', '--hosted', 'deliveries', '5'],
  ])('can come after the command: %s %s', async (...args) => {
    const { output } = await waitlist(args);
    expect(output).toMatch(new RegExp(`^At ${services.url}\n`));
  });

  it('is required for a command to read .env', async () => {
    writeEnvFile();
    const { status, output } = await waitlist(['count']);
    expect(output).toContain('There is no waitlist to work on. Start the local stack');
    expect(status).toBe(2);
  });
});
