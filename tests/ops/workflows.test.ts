import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { listVariables } from '../../shared/variables.ts';

type Step = Partial<Record<'if' | 'uses' | 'run', string> & Record<'with' | 'env', object>>;
type Job = Partial<Record<'if' | 'needs' | 'uses', string>> & { env?: object; steps?: Step[] };
interface Workflow {
  on: Record<string, object | null>;
  permissions: object;
  concurrency: object;
  jobs: Record<string, Job>;
}

const folder = resolve(import.meta.dirname, '../../.github/workflows');
const files = globSync('*.yml', { cwd: folder });
const readText = (name: string) => readFileSync(resolve(folder, `${basename(name, '.yml')}.yml`), 'utf8');
const read = (name: string) => parse(readText(name)) as Workflow;
const stepsOf = (job: Job | undefined) => job?.steps ?? [];
const onlyContent = "needs.content.outputs.only == 'content'";
const pass = (names: string[]) => Object.fromEntries(names.map((name) => [name, `\${{ secrets.${name} }}`]));

describe('the workflows', () => {
  it.each(files)('use pinned versions of actions, and a token that cannot write: %s', (name) => {
    const { permissions, jobs } = read(name);
    expect(new Set(Object.values(permissions))).toEqual(new Set(['read']));
    const actions = Object.values(jobs)
      .flatMap(stepsOf)
      .filter(({ uses }) => uses);
    for (const { uses, with: options } of actions) {
      expect(uses).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/);
      if (uses?.startsWith('actions/checkout')) expect(options).toEqual({ 'persist-credentials': false });
    }
  });

  it('give a secret only to jobs on the main branch', () => {
    const jobs = files.flatMap((name) => Object.values(read(name).jobs));
    const trusted = jobs.filter((job) => JSON.stringify(job).includes('secrets.'));
    expect(trusted).not.toEqual([]);
    for (const job of trusted)
      expect(job).toMatchObject({ environment: 'production', if: "github.ref == 'refs/heads/main'" });
  });

  it('check the content before anything slow, and deploy only what passed all checks', () => {
    const { content, test } = read('check').jobs;
    expect(stepsOf(content).find(({ run }) => run?.startsWith('npm run'))?.run).toBe('npm run check:content');
    expect(test).toMatchObject({
      needs: 'content',
      env: {
        ENGINES: `\${{ ${onlyContent} && 'chromium' || 'chromium firefox webkit' }}`,
        COMMAND: `\${{ ${onlyContent} && 'test:content' || 'test' }}`,
      },
    });
    expect(stepsOf(test).at(-1)).toEqual({
      if: "needs.content.outputs.only != 'nothing'",
      run: 'npm ci && npx playwright install --with-deps $ENGINES && npm run $COMMAND',
    });
    const { check, deploy } = read('deploy').jobs;
    expect(check?.uses).toBe('./.github/workflows/check.yml');
    expect(deploy).toMatchObject({ needs: 'check', if: "github.ref == 'refs/heads/main'" });
  });

  it.each([
    ['content/faq/price.mdx\ncontent/drops/skin.mdx', 'only=content\n'],
    ['src/config/site.ts', 'only=nothing\n', 'first\nsecond'],
    ['content/faq/price.mdx\nsrc/config/site.ts', ''],
    ['src/content/site.ts', ''],
    ['', ''],
    // Nothing was deployed yet, or GitHub does not answer.
    [undefined, ''],
  ])('run only the tests that are needed: %j', (files, output, passed = 'first') => {
    const step = stepsOf(read('check').jobs['content']).at(-1);
    const bin = mkdtempSync(join(tmpdir(), 'waitlist-gh-'));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    const green = `*'--branch main --status success'*) echo abc;; *'request&status=success'*) echo '${passed}';;`;
    const answers = `${green} *abc...*) printf '%s\\n' '${files}';;`;
    const answer = files === undefined ? 'exit 1' : `case "$*" in ${answers} esac`;
    for (const [name, script] of Object.entries({ gh: answer, git: 'echo second' }))
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    writeFileSync(join(bin, 'output'), '');
    const env = { PATH: `${bin}:${process.env['PATH']}`, GITHUB_OUTPUT: join(bin, 'output') };
    execFileSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step!.run!], { env });
    expect(readFileSync(join(bin, 'output'), 'utf8')).toBe(output);
  });

  it('check each push once, deploy the main branch, probe on a schedule, and use macOS only for some files', () => {
    expect(Object.keys(read('check').on)).toEqual(['pull_request', 'workflow_call']);
    expect(read('deploy').on).toEqual({ push: { branches: ['main'] }, workflow_dispatch: null });
    expect(Object.keys(read('probe').on)).toContain('schedule');
    expect(read('macos').on['push']).toHaveProperty('paths');
    expect(files.filter((name) => readText(name).includes('runs-on: macos'))).toEqual(['macos.yml']);
    for (const name of ['deploy', 'probe'])
      expect(read(name).concurrency).toEqual({ group: name, 'cancel-in-progress': false });
  });

  it('pass every value to a deployment, and to a probe once there is a live site', () => {
    const deployment = stepsOf(read('deploy').jobs['deploy']).at(-1);
    expect(deployment).toEqual({ run: './waitlist deploy', env: pass(listVariables('owner')) });
    const { env, steps } = read('probe').jobs['probe']!;
    const probe = steps?.find(({ run }) => run?.endsWith(' probe'));
    expect(probe?.if).toBe("env.PUBLIC_SITE_URL != ''");
    const values = ['PUBLIC_SITE_URL', 'PUBLIC_SUPABASE_URL', 'SUPABASE_SECRET_KEY', 'RESEND_WEBHOOK_SECRET'];
    expect({ ...env, ...probe?.env }).toEqual(pass(values));
    expect(steps?.at(-1)?.if).toMatch(/ !cancelled\(\) && .+ && vars\.SUMMARY == 'yes' /);
  });

  it('run no code of a package during an installation', () => {
    const readRoot = (file: string) => readFileSync(resolve(folder, '../..', file), 'utf8');
    expect(readRoot('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    // npm does not read the file of the root for them.
    for (const lock of globSync('ops/*/package-lock.json', { cwd: resolve(folder, '../..') }))
      expect(readRoot(lock), lock).not.toContain('"hasInstallScript"');
  });
});
