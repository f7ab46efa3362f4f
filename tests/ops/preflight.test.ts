import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../../ops/program.ts';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const readPrograms = (script: string) =>
  [...script.matchAll(/node --import \S+ (\S+\.ts)/g)].map(([, file]) => file!);

/** The scripts of package.json in a folder where every program only prints that it ran. */
const folder = mkdtempSync(join(tmpdir(), 'preflight-'));

beforeAll(() => {
  cpSync(join(root, 'ops/stack/preflight.mjs'), join(folder, 'ops/stack/preflight.mjs'));
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  for (const file of Object.values(scripts).flatMap(readPrograms)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), `console.log('RAN', process.argv.slice(2).join(' '));`);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs an npm command with its own npmrc. */
function npm(typed: string, npmrc = ''): Promise<{ status: number | null; output: string }> {
  const userconfig = join(mkdtempSync(join(folder, 'npmrc-')), 'npmrc');
  writeFileSync(userconfig, npmrc);
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = { ...Object.fromEntries(inherited), npm_config_userconfig: userconfig };
  return new Promise((end) => {
    const child = execFile('npm', typed.split(' '), { cwd: folder, env }, (_, stdout, stderr) =>
      end({ status: child.exitCode, output: stdout + stderr }),
    );
  });
}

/** Returns every long flag in the help of `npm run waitlist`, including the help of its commands. */
async function readFlags(command: string[] = []): Promise<string[]> {
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await run([...command, '--help']);
  const help = print.mock.calls.join('\n');
  print.mockRestore();
  const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
  const listed = help.split(/^Commands:$/m)[1]?.split(/^\S/m)[0] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name!);
  for (const name of names) if (name !== 'help') flags.push(...(await readFlags([...command, name])));
  return flags;
}

describe('a flag typed without -- before it stops the command', () => {
  it.each([
    ['run deploy --dry-run', 'deploy -- --dry-run'],
    ['run deploy -n', 'deploy -- --dry-run'],
    ['run waitlist --hosted count', 'waitlist -- count --hosted'],
    ['run waitlist remove jo@example.com --yes', 'waitlist -- remove jo@example.com --yes'],
    ['run waitlist export --output all.csv', 'waitlist -- export --output all.csv'],
    ['run waitlist announce launch --to=me@example.com', 'waitlist -- announce launch --to me@example.com'],
  ])('npm %s: it shows the right one', async (typed, right) => {
    const { status, output } = await npm(typed);
    expect(output).not.toContain('RAN');
    expect(status).toBeGreaterThan(0);
    // npm 12 itself refuses flags that it does not know.
    if (!output.includes('Unknown cli flag')) expect(output).toMatch(new RegExp(`npm run ${right}$`, 'm'));
  });

  it.each(['start --port=80', 'run dev --port=80', 'start -- --port 80'])('npm %s', async (typed) => {
    const { status, output } = await npm(typed);
    expect(output).not.toContain('RAN');
    expect(status).toBeGreaterThan(0);
  });

  it('npm run waitlist, with each flag that it has', async () => {
    const flags = [...new Set(await readFlags())].filter((flag) => flag !== '--help');
    expect(flags).toContain('--hosted');
    const { status, output } = await npm(`run waitlist ${flags.map((flag) => `${flag}=1`).join(' ')}`);
    expect(output).not.toContain('RAN');
    expect(status).toBeGreaterThan(0);
    const lost = /npm took (.*) for itself/.exec(output)?.[1]?.split(' ') ?? [];
    if (!output.includes('Unknown cli flag')) expect(lost).toEqual(expect.arrayContaining(flags));
  });
});

it.each(['', 'yes=true\njson = true\n', 'yes = false\n'])(
  'a command that is typed right runs with the npmrc %j',
  async (npmrc) => {
    const { status, output } = await npm('run waitlist -- list --limit 2 --json', npmrc);
    expect(output).toMatch(/^RAN list --limit 2 --json$/m);
    expect(status).toBe(0);
  },
);

it('a command says which Node it needs if it runs in an older one', () => {
  const older = 'Object.defineProperty(process, "versions", { value: { node: "22.21.0" } })';
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${older}`, 'ops/stack/preflight.mjs'],
    { cwd: root, encoding: 'utf8' },
  );
  expect(stderr).toMatch(/^This is Node 22\. Install Node 24: /);
  expect(status).toBe(1);
});

it('a command says how to install the packages if they are missing', async () => {
  const packages = join(folder, 'node_modules');
  renameSync(packages, `${packages}-of-later`);
  onTestFinished(() => renameSync(`${packages}-of-later`, packages));
  const { status, output } = await npm('run waitlist');
  expect(output).toMatch(/^The packages of this project are not installed\. Run npm ci\.$/m);
  expect(output).not.toContain('RAN');
  expect(status).toBe(1);
});
