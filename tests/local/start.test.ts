import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isSameProcess, type ProcessIdentity, waitUntil } from '../../local/process.ts';
import { readRunFile, writeRunFile } from '../../local/run-file.ts';
import { Stack } from './stack.ts';

const stack = new Stack();

beforeAll(() => stack.choosePorts());
afterAll(async () => {
  await stack.stop();
  stack.remove();
});

/** Reads the processes of the stack from its record. */
function readProcesses(): ProcessIdentity[] {
  const record = readRunFile(stack.dataDir)!;
  return [record.main, ...Object.values(record.parts)];
}

/** Copies the built site of the stack, so that another stack with the same ports does not have to build it. */
function takeSite(dataDir: string): void {
  for (const name of ['site', 'site-inputs'].filter((name) => existsSync(join(stack.dataDir, name))))
    cpSync(join(stack.dataDir, name), join(dataDir, name), { recursive: true });
}

describe('a running stack', () => {
  beforeAll(async () => {
    // A log of the stack itself, for example.
    mkdirSync(stack.dataDir);
    writeFileSync(join(stack.dataDir, 'notes.log'), 'mine');
    expect(await stack.start(), stack.output).toBe('ready');
  });

  it('leaves other files in its data folder alone', () => {
    expect(readFileSync(join(stack.dataDir, 'notes.log'), 'utf8')).toBe('mine');
  });

  it('prints its steps and three URLs, and serves those', async () => {
    for (const step of ['Starting PostgreSQL', 'Building the site', 'Starting the inbox']) {
      expect(stack.output).toContain(step);
    }
    expect(stack.output).toContain(`http://localhost:${stack.environment['SITE_PORT']}`);
    expect(stack.output).toContain(stack.url('API_PORT', ''));
    expect(stack.output).toContain(stack.url('INBOX_PORT', ''));
    const landing = await (await fetch(stack.url('SITE_PORT'))).text();
    expect(landing).toContain(stack.url('API_PORT', '/functions/v1/resend-email'));
    expect(readProcesses()).toHaveLength(8);
  });

  it.runIf(existsSync('/proc/net/tcp'))('can be reached only from this machine', () => {
    const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/)),
    );
    const listening = sockets.filter(([, , , state]) => state === '0A').map(([, local = '']) => local);
    for (const [name, port] of Object.entries(stack.environment)) {
      const end = `:${Number(port).toString(16).toUpperCase()}`;
      expect(
        listening.filter((local) => local.endsWith(end)),
        name,
      ).toEqual([`0100007F${end}`]);
    }
  });

  it('keeps its secret key in a record that only its owner can read', () => {
    expect(statSync(join(stack.dataDir, 'running.json')).mode & 0o777).toBe(0o600);
  });

  it('lets no other stack use its data folder, and says that it is already running', async () => {
    const other = new Stack(stack.dataDir);
    await other.choosePorts();
    expect(await other.start()).toBe('ended');
    expect(other.output).toMatch(/The stack is already running \(process \d+\): http:/);
    expect(other.output).toMatch(/Its data is in .* DATA_DIR to another folder/);
    const second = new Stack(stack.dataDir);
    second.environment = stack.environment;
    expect(await second.start()).toBe('ended');
    expect(await second.stop()).toBe(1);
    expect(second.output).toContain(
      `already running (process ${readProcesses()[0]!.pid}): http://localhost:${stack.environment['SITE_PORT']}`,
    );
    expect(second.output).not.toContain('EADDRINUSE');
  });

  it('restarts a part that was killed', async () => {
    for (const name of ['database', 'inbox', 'resend-email', 'leave', 'delivery-events', 'backend', 'site']) {
      const before = readRunFile(stack.dataDir)!.parts[name]!.pid;
      process.kill(before, 'SIGKILL');
      const isBack = () => (readRunFile(stack.dataDir)?.parts[name]?.pid ?? before) !== before;
      expect(await waitUntil(isBack, 30_000)).toBe(true);
    }
    let tries = 0;
    const isServed = async () => {
      const responses = await stack.signUp(`after-${++tries}@example.org`).catch(() => []);
      return responses.length > 0 && responses.every(({ ok }) => ok);
    };
    expect(await waitUntil(isServed, 30_000)).toBe(true);
    expect(
      await waitUntil(
        async () => (await fetch(stack.url('SITE_PORT')).catch(() => null))?.ok === true,
        30_000,
      ),
    ).toBe(true);
  });

  it('cleans up and starts after it was killed itself', async () => {
    const left = readProcesses();
    process.kill(left[0]!.pid, 'SIGKILL');
    await stack.stop();
    expect(left.filter(isSameProcess)).toHaveLength(7);
    // Another process may have its PID by now.
    const record = readRunFile(stack.dataDir)!;
    writeRunFile({ ...record, main: { ...record.main, pid: process.pid } });
    expect(await stack.start(), stack.output).toBe('ready');
    expect(stack.output).toContain('Cleaning up');
    expect(left.filter(isSameProcess)).toEqual([]);
  });

  it('stops all of its parts', async () => {
    const processes = readProcesses();
    expect(await stack.stop('SIGTERM')).toBe(0);
    expect(processes.filter(isSameProcess)).toEqual([]);
  });
});

describe('a start', () => {
  it.each(['Starting PostgreSQL', 'Bringing the database', 'Building the site', 'Starting the functions'])(
    'stops cleanly during the step: %s',
    async (step) => {
      const early = new Stack();
      onTestFinished(async () => {
        await early.stop();
        early.remove();
      });
      early.environment = stack.environment;
      if (step === 'Starting the functions') takeSite(early.dataDir);
      const started = early.start();
      expect(await waitUntil(() => early.output.includes(step), 60_000)).toBe(true);
      expect(await early.stop('SIGINT')).toBe(0);
      await started;
      expect(early.output).not.toContain('failed');
      expect(readRunFile(early.dataDir)).toBeUndefined();
    },
  );

  it('serves the sources with --dev, without building the site first', async () => {
    const dev = new Stack();
    onTestFinished(async () => {
      await dev.stop();
      dev.remove();
    });
    // Astro serves no pages in a program that Vitest has started.
    dev.environment = { ...stack.environment, VITEST: '' };
    dev.command.push('--dev');
    expect(await dev.start(), dev.output).toBe('ready');
    expect(dev.output).not.toContain('Building the site');
    const page = await fetch(dev.url('SITE_PORT')).then((response) => response.text(), String);
    expect(page, dev.output).toContain('/@vite/client');
  });

  it.each(['SITE_PORT', 'API_PORT', 'DB_PORT', 'INBOX_PORT'])(
    'reports a port that is in use, and %s',
    async (variable) => {
      const port = Number(stack.environment[variable]);
      const blocker = createServer().listen(port, '127.0.0.1');
      await once(blocker, 'listening');
      expect(await stack.start()).toBe('ended');
      expect(await stack.stop()).toBe(1);
      expect(stack.output.trim().split('\n').at(-1)).toBe(
        `Port ${port} cannot be used (EADDRINUSE). Set ${variable} to another port, or stop what uses this one.`,
      );
      blocker.close();
    },
  );

  it('reports a folder that cannot be written, and suggests DATA_DIR', async () => {
    const file = join(stack.dataDir, '..', 'file');
    writeFileSync(file, '');
    const blocked = new Stack(join(file, 'data'));
    blocked.environment = stack.environment;
    expect(await blocked.start()).toBe('ended');
    expect(blocked.output.trim().split('\n').at(-1)).toMatch(
      /^The data folder .*file\/data cannot be written \(\w+\)\. Set DATA_DIR to a writable folder\.$/,
    );
  });

  it.each(['site', 'database'])('does not touch a folder that it did not make: %s', async (name) => {
    const taken = new Stack(mkdtempSync(join(tmpdir(), 'waitlist-taken-')));
    taken.environment = stack.environment;
    onTestFinished(async () => {
      await taken.stop();
      rmSync(taken.dataDir, { recursive: true });
    });
    mkdirSync(join(taken.dataDir, name, 'mine'), { recursive: true });
    expect(await taken.start()).toBe('ended');
    expect(taken.output.trim().split('\n').at(-1)).toBe(
      `${join(taken.dataDir, name)} was not made by a local stack. Move it away, or set DATA_DIR to another folder.`,
    );
    expect(readdirSync(join(taken.dataDir, name))).toEqual(['mine']);
  });

  it('reports a malformed value, and ignores an empty one', async () => {
    const wrong = new Stack(stack.dataDir);
    wrong.environment = { ...stack.environment, PUBLIC_SUPPORT_PHONE: '', RESEND_BASE_URL: 'nonsense' };
    expect(await wrong.start()).toBe('ended');
    expect(wrong.output.trim().split('\n').at(-1)).toMatch(
      /^RESEND_BASE_URL is malformed: set it to the URL/,
    );
  });

  it.each([
    ['a value that is not a port', () => 'eighty', 'API_PORT is "eighty". Set it to a port from 1 to 65535.'],
    [
      'a port that is set twice',
      () => stack.environment['SITE_PORT']!,
      'Set API_PORT to another port, or stop what uses this one.',
    ],
  ])('reports %s', async (_, choose, message) => {
    const wrong = new Stack(stack.dataDir);
    wrong.environment = { ...stack.environment, API_PORT: choose() };
    expect(await wrong.start()).toBe('ended');
    expect(wrong.output).toContain(message);
  });

  it.runIf(process.getuid?.() === 0)('works for root in a folder that only root may enter', async () => {
    const locked = join(stack.dataDir, '..', 'locked');
    mkdirSync(locked, { mode: 0o700 });
    const deep = new Stack(join(locked, 'data'));
    deep.environment = stack.environment;
    takeSite(deep.dataDir);
    expect(await deep.start(), deep.output).toBe('ready');
    const sql = postgres(stack.databaseUrl);
    expect(await sql`select count(*)::int as members from waitlist_emails`).toEqual([{ members: 0 }]);
    await sql.end();
    expect(await deep.stop()).toBe(0);
  });
});
