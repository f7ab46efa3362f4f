import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeEnvironment, SiteCopy } from './site-copy.ts';

const payouts = 'content/faq/payouts.mdx';
let site: SiteCopy;
beforeEach(() => void (site = new SiteCopy({ content: 'known', others: ['local/check-content.ts'] })));
afterEach(() => site.remove());

function check(values = {}) {
  const env = makeEnvironment({ GITHUB_ACTIONS: '', ...values });
  return spawnSync(process.execPath, ['local/check-content.ts'], { cwd: site.folder, encoding: 'utf8', env });
}

describe('content with mistakes', () => {
  it('stops the build, which lists them with file, line and what to do', () => {
    site.edit(payouts, 'question:', 'questin:');
    site.edit('content/features/sell.mdx', '{freeShare}', '{freeShar}');
    const { status, output } = site.build();
    expect(status).toBe(1);
    expect(output).toContain(`${payouts}:3  Unknown field "questin". Did you mean question?`);
    expect(output).toContain('content/features/sell.mdx:7  Visitors would see {freeShar} as typed.');
    expect(output).not.toMatch(/    at |unhandled/);
  });

  it('fails check:content, which passes once they are fixed', () => {
    expect(check()).toMatchObject({ status: 0, stderr: '', stdout: 'There are no mistakes in content/.\n' });
    site.edit(payouts, 'question:', 'questin:');
    const { status, stderr } = check();
    expect(stderr).toBe(`${payouts}:3  Unknown field "questin". Did you mean question?\n`);
    expect(status).toBe(1);
  });
});

it('words that only look wrong are printed, and stop neither check:content nor the build', () => {
  site.edit(payouts, 'You can', 'TODO: You can');
  expect(check()).toMatchObject({ status: 0, stdout: expect.stringContaining(`${payouts}:6  `) });
  expect(site.build().status).toBe(0);
});

it('a pull request shows each mistake and each warning beside its line, in the same words', () => {
  site.edit(payouts, 'question:', 'questin:');
  site.edit(payouts, 'You can', 'You { or 100% } can');
  const { stdout, stderr } = check({ GITHUB_ACTIONS: 'true' });
  const [, said] = stderr.trim().split('  ');
  expect(stdout).toContain(`\n::error file=${payouts},line=3::${said}\n`);
  expect(stdout).toMatch(
    new RegExp(`^::warning file=${payouts},line=6::Visitors would see \\{ or 100%25 \\} as typed\\.`, 'm'),
  );
});
