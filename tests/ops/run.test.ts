import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** A checkout in which npm only prints its arguments, and fails as told. */
const folder = mkdtempSync(join(tmpdir(), 'waitlist-run-'));

beforeAll(() => {
  cpSync(resolve(import.meta.dirname, '../../.ci/run'), join(folder, '.ci/run'));
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm $*"\n[ "$*" != "$FAILS" ]\n');
  chmodSync(join(folder, 'npm'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(fails = ''): { status: number | null; lines: string[] } {
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}`, FAILS: fails };
  const { status, stdout } = spawnSync(join(folder, '.ci/run'), { cwd: tmpdir(), env, encoding: 'utf8' });
  return { status, lines: stdout.split('\n').filter(Boolean) };
}

it('.ci/run installs, tests, counts the results, and fails if the tests fail', () => {
  expect(run('ci')).toEqual({ status: 1, lines: ['npm ci', '0 passed, 0 failed'] });
  mkdirSync(join(folder, 'tests/results'), { recursive: true });
  const write = (name: string, results: object) =>
    writeFileSync(join(folder, 'tests/results', name), JSON.stringify(results));
  write('vitest.json', { numPassedTests: 10, numFailedTests: 1 });
  write('playwright.json', { stats: { expected: 20, flaky: 2, unexpected: 3 } });
  expect(run('test')).toEqual({ status: 1, lines: ['npm ci', 'npm test', '32 passed, 4 failed'] });
  expect(run().status).toBe(0);
});
