import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { site } from '../../src/config/site.ts';

const root = resolve(import.meta.dirname, '../..');

/** A project in a path with a space, without packages until a test installs them, and without a running stack. */
const folder = join(mkdtempSync(join(tmpdir(), 'waitlist-program-')), 'my site');
const data = join(folder, 'data');

beforeAll(() => {
  for (const file of ['waitlist', 'ops/preflight.mjs', 'package.json'])
    cpSync(join(root, file), join(folder, file));
  writeFileSync(
    join(folder, 'ops/waitlist.ts'),
    'console.log(process.argv.slice(2).join(" "), process.version)',
  );
});
afterAll(() => rmSync(resolve(folder, '..'), { recursive: true }));

/** Runs a command of the shell in a folder that is not the project's. */
function run(command: string, environment: Record<string, string> = {}) {
  const env = { ...process.env, DATA_DIR: data, ...environment };
  return new Promise<{ status: unknown; output: string }>((end) => {
    execFile('sh', ['-c', command], { cwd: tmpdir(), env }, (error, stdout, stderr) =>
      end({ status: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

describe('./waitlist', () => {
  it('says how to install the packages, then runs on their Node, from any folder and through a link', async () => {
    const link = join(folder, 'link');
    symlinkSync(join(folder, 'waitlist'), link);
    expect(await run(`"${link}"`)).toEqual({
      status: 1,
      output: 'The packages of this project are not installed. Run npm ci.\n',
    });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const older = join(folder, 'bin');
    mkdirSync(older);
    writeFileSync(join(older, 'node'), '#!/bin/sh\necho an older Node\n', { mode: 0o755 });
    const PATH = `${older}${delimiter}${process.env['PATH']}`;
    const { output } = await run(`"${link}" export --output 'a b.csv'`, { PATH });
    expect(output).toBe(`export --output a b.csv ${process.version}\n`);
  });

  it('says which Node it needs', () => {
    const older = 'Object.defineProperty(process, "versions", { value: { node: "22.21.0" } })';
    const args = ['--import', `data:text/javascript,${older}`, join(root, 'ops/preflight.mjs')];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stderr).toMatch(/^This is Node 22\. Install Node 24: /);
    expect(status).toBe(1);
  });

  it('loads neither Astro nor Vite before a command needs them', async () => {
    const print = 'registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })';
    const hook = encodeURIComponent(`import { registerHooks } from 'node:module'; ${print}`);
    const NODE_OPTIONS = `--import=data:text/javascript,${hook}`;
    const { output } = await run(`'${root}/waitlist' help`, { NODE_OPTIONS });
    expect(output).toContain('/node_modules/commander/');
    expect(output).not.toMatch(/\/node_modules\/(astro|vite)\//);
  });

  it.each([
    ['sumary', 2, 'Did you mean summary?'],
    ['help sumary', 2, 'Did you mean summary?'],
    ['help limits set', 0, 'Usage: waitlist limits set'],
    ['--version', 0, `${site.version}\n`],
    ['summary --days 4000', 2, 'Give a whole number from 1 to 3650.'],
  ])('answers %s with the status %i and what was meant', async (typed, expected, said) => {
    const { status, output } = await run(`'${root}/waitlist' ${typed}`);
    expect(output).toContain(said);
    expect(status).toBe(expected);
  });
});
