import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { prepareDatabase } from '../../ops/stack/database.ts';
import { waitUntil } from '../../ops/stack/process.ts';
import { readRunFile } from '../../ops/stack/run-file.ts';
import { Stack } from './stack.ts';

it('a start serves the sources with --dev, and stops as a whole when one of its parts ends', async () => {
  const dev = new Stack();
  onTestFinished(async () => {
    await dev.stop();
    dev.remove();
  });
  await dev.choosePorts();
  // Astro serves no pages in a program that Vitest has started.
  dev.environment['VITEST'] = '';
  dev.command.push('--dev');
  expect(await dev.start(), dev.output).toBe('ready');
  // Only Astro's development server has it.
  expect((await fetch(dev.url('SITE_PORT', '/@vite/client'))).status, dev.output).toBe(200);
  process.kill(readRunFile(dev.dataDir)!.pids['inbox']!, 'SIGKILL');
  expect(await waitUntil(async () => (await dev.usedPorts()).length === 0, 30_000)).toBe(true);
  expect(await dev.end()).toBe(1);
  expect(dev.output).toContain('inbox has ended, so everything stops. The end of its log');
});

it('a start after a crash ignores the PID of the database, which may belong to another process by now', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-crash-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  prepareDatabase(dataDir, 1);
  const file = join(dataDir, 'database', 'postmaster.pid');
  writeFileSync(file, `${process.pid}\n`);
  prepareDatabase(dataDir, 1);
  expect(existsSync(file)).toBe(false);
});

it('a start keeps a folder that it did not make', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-taken-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  mkdirSync(join(dataDir, 'database', 'mine'), { recursive: true });
  expect(() => prepareDatabase(dataDir, 1)).toThrow(
    `The database could not be created in ${join(dataDir, 'database')}. `,
  );
  expect(readdirSync(join(dataDir, 'database'))).toEqual(['mine']);
});
