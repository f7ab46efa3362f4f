import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

it('a clock that cannot be set gives the reason', () => {
  const program = resolve(import.meta.dirname, '../../deploy/clock.ts');
  const { status, stderr } = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: 'postgresql://postgres@127.0.0.1:9/postgres' },
  });
  expect(stderr).toMatch(/^The clock could not be set: .*ECONNREFUSED.*\.\n$/);
  expect(status).toBe(1);
});
