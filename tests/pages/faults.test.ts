import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { figures } from '../../src/config/site.ts';
import { makeEnvironment, SiteCopy } from './site-copy.ts';

const payouts = 'content/faq/payouts.mdx';
let site: SiteCopy;
beforeEach(() => void (site = new SiteCopy({ content: 'known' })));
afterEach(() => site.remove());

function check(values = {}) {
  const env = makeEnvironment({ GITHUB_ACTIONS: '', ...values });
  return spawnSync(process.execPath, ['src/content-model/check/main.ts'], {
    cwd: site.folder,
    encoding: 'utf8',
    env,
  });
}

it('a mistake in content stops check:content and the build, which show it with file, line and what to do', () => {
  site.edit(payouts, 'question:', 'questin:');
  const { status, stderr } = check();
  expect(status).toBe(1);
  expect(stderr).toContain(`${payouts}:3  Unknown field "questin". Did you mean question?\n`);
  const build = site.build();
  expect(build.status).toBe(1);
  expect(build.output).toContain(stderr);
  expect(build.output).not.toMatch(/    at |unhandled/);
});

it('a pull request shows each mistake and each warning beside its line, and a warning stops nothing', () => {
  site.edit(payouts, 'You can', `You keep ${figures.freeShare} and can`);
  const { status, stdout: warnings } = check();
  expect(status).toBe(0);
  site.edit(payouts, 'question:', 'questin:');
  const { stdout, stderr } = check({ GITHUB_ACTIONS: 'true' });
  const findWords = (printed: string, line: number) =>
    printed.split(`${payouts}:${line}  `)[1]?.split('\n')[0];
  expect(stdout).toContain(`\n::error file=${payouts},line=3::${findWords(stderr, 3)}\n`);
  const warning = findWords(warnings, 6)?.replaceAll('%', '%25');
  expect(stdout).toContain(`::warning file=${payouts},line=6::${warning}\n`);
});

it('a broken fact is shown at its line, without a stack trace, and hides no mistake in content', () => {
  site.edit(payouts, 'question:', 'questin:');
  const file = 'src/config/site.ts';
  site.edit(file, /(?<=minimumAge: ).*(?=,)/, "'You're in'");
  const line = site.read(file).split("'You're in'")[0]!.split('\n').length;
  const { status, stderr } = check();
  expect(status).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^${file}:${line}  This line, or the one above it, cannot be read\\. .*\n${payouts}:3  .*\n$`),
  );
});
