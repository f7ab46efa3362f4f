import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeValues, Project } from './project.ts';
import { Services } from './services.ts';

const services = new Services();
const project = new Project();

beforeAll(async () => {
  await services.start();
  services.intercept = () => [200, 7];
});

afterAll(async () => {
  await services.stop();
  project.remove();
});

const waitlist = (args: string[], environment: Record<string, string> = {}) =>
  project.run('owner/waitlist.ts', args, environment);

describe('the owner’s command line with --hosted', () => {
  it('says so when set-up has written nothing yet', async () => {
    const { status, output } = await waitlist(['--hosted', 'count']);
    expect(output).toContain('npm run setup');
    expect(status).toBe(2);
  });

  it('works on the deployment that set-up wrote down, and names it', async () => {
    project.write(
      '.env',
      `PUBLIC_SITE_URL=https://stash.test\nPUBLIC_SUPABASE_URL=${services.url}\nSUPABASE_SECRET_KEY=${completeValues.SUPABASE_SECRET_KEY}\n`,
    );
    const { status, output } = await waitlist(['--hosted', 'count']);
    expect(output).toBe(`At ${services.url}\n7\n`);
    expect(status).toBe(0);
    expect(services.calls.map(({ path }) => path)).toEqual(['/rest/v1/rpc/count_members']);
  });

  it('is not needed for the local stack, which a command works on without it', async () => {
    const { status, output } = await waitlist(['count']);
    expect(output).toContain('No waitlist to read. Start the local stack');
    expect(status).toBe(2);
  });

  it('refuses to choose between two projects', async () => {
    const { status, output } = await waitlist(['--hosted', 'count'], { SUPABASE_URL: services.url });
    expect(output).toContain('Two projects are named');
    expect(status).toBe(2);
  });
});
