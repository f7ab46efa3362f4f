import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const readPrograms = (script: string) =>
  [...script.matchAll(/node --import \S+ (\S+\.ts)/g)].map(([, file]) => file!);

/** The scripts of package.json in a folder where every program only prints that it ran, so that nothing happens. */
const folder = mkdtempSync(join(tmpdir(), 'preflight-'));

beforeAll(() => {
  cpSync(join(root, 'local', 'preflight.mjs'), join(folder, 'local', 'preflight.mjs'));
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
function npm(
  typed: string,
  npmrc = '',
  settings: Record<string, string> = {},
): Promise<{ status: number | null; output: string }> {
  writeFileSync(join(folder, 'npmrc'), npmrc);
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    npm_config_userconfig: join(folder, 'npmrc'),
    ...settings,
  };
  return new Promise((end) => {
    const child = execFile('npm', typed.split(' '), { cwd: folder, env }, (_, stdout, stderr) =>
      end({ status: child.exitCode, output: stdout + stderr }),
    );
  });
}

/** Returns every long flag in a program's help, including the help of its commands. */
function readFlags(program: string, command: string[] = []): string[] {
  const help = execFileSync(process.execPath, [join(root, program), ...command, '--help'], {
    encoding: 'utf8',
  });
  const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
  const listed = help.split(/^Commands:$/m)[1]?.split(/^\S/m)[0] ?? '';
  const names = [...listed.matchAll(/^ {2}(\w+)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
  return [...flags, ...names.flatMap((name) => readFlags(program, [...command, name]))];
}

describe('a flag typed without -- before it', () => {
  it.each([
    ['run deploy --dry-run', 'npm run deploy -- --dry-run'],
    ['run deploy -n', 'npm run deploy -- -n'],
    ['run deploy -dn', 'npm run deploy -- -n'],
    ['run deploy --no', 'npm run deploy -- -n'],
    ['run setup --yes', 'npm run setup -- --yes'],
    ['run setup -y', 'npm run setup -- --yes'],
    ['run waitlist remove jo@example.com --yes', 'npm run waitlist -- remove jo@example.com --yes'],
    ['run waitlist count --json', 'npm run waitlist -- count --json'],
    ['run waitlist -- announce launch --to=me@example.com', undefined],
    [
      'run waitlist announce launch --to=me@example.com',
      'npm run waitlist -- announce launch --to me@example.com',
    ],
  ])('stops npm %s, and shows the right command', async (typed, right) => {
    const { status, output } = await npm(typed);
    if (right === undefined) expect(output).toContain('RAN announce launch --to=me@example.com');
    else {
      expect(output).toContain(`Run: ${right}\n`);
      expect({ status, hasRun: output.includes('RAN') }).toEqual({ status: 2, hasRun: false });
    }
  });

  // npm 12 itself refuses unknown flags.
  it.each([
    ['run waitlist --hosted count', 'npm run waitlist -- count --hosted'],
    ['run waitlist list --limit 2', 'npm run waitlist -- list --limit 2'],
    ['run waitlist --limit 2 list', 'npm run waitlist -- list --limit 2'],
    ['run waitlist export --output all.csv', 'npm run waitlist -- export --output all.csv'],
    ['run deploy --preview', 'npm run deploy -- --preview'],
  ])('stops npm %s even if npm does not know the flag', async (typed, right) => {
    const { status, output } = await npm(typed);
    expect(output).not.toContain('RAN');
    expect(status).toBeGreaterThan(0);
    if (!output.includes('Unknown cli flag')) expect(output).toContain(`Run: ${right}\n`);
  });

  it.each(['start --port=80', 'run dev --port=80', 'start -- --port 80'])(
    'stops npm %s, which has no flags, and says where to set a port',
    async (typed) => {
      const { status, output } = await npm(typed);
      expect(output).not.toContain('RAN');
      expect(status).toBeGreaterThan(0);
      if (!output.includes('Unknown cli flag')) expect(output).toContain('such as SITE_PORT=8080 npm start');
    },
  );

  it('stops npm start when it comes from the environment, and says which variable to unset', async () => {
    const { status, output } = await npm('start', '', { npm_config_json: 'true' });
    expect(output).not.toContain('RAN');
    expect(output).toContain('If you did not type --json, unset npm_config_json in your environment.');
    expect(status).toBeGreaterThan(0);
  });

  it.each(['deploy', 'setup', 'waitlist'])('stops %s, for every flag that it has', async (script) => {
    const [program = ''] = readPrograms(scripts[script]!);
    const flags = [...new Set(readFlags(program))].filter((flag) => !['--help', '--version'].includes(flag));
    expect(flags).not.toEqual([]);
    const ends = await Promise.all(flags.map((flag) => npm(`run ${script} ${flag}=1`)));
    const run = flags.filter((_, index) => ends[index]!.status === 0 || ends[index]!.output.includes('RAN'));
    expect(run).toEqual([]);
  });
});

it('a command says which Node it needs if it runs in an older one', () => {
  const older = 'Object.defineProperty(process, "versions", { value: { node: "22.21.0" } })';
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${older}`, 'local/preflight.mjs'],
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

describe('a command as it should be typed', () => {
  it.each([
    ['run waitlist -- list --limit 2', ''],
    ['run --silent waitlist -- list --limit 2', ''],
    ['run waitlist -- list --limit 2', 'yes=true\njson = true\nnodedir=/usr\nomit[]=dev\n'],
    ['run waitlist -- list --limit 2', 'yes = false\n'],
  ])('npm %s runs with the npmrc %j', async (typed, npmrc) => {
    const { status, output } = await npm(typed, npmrc);
    expect(output).toMatch(/^RAN list --limit 2$/m);
    expect(status).toBe(0);
  });

  it('stops for a flag even if an npmrc turns it off', async () => {
    const { status, output } = await npm('run waitlist remove jo@example.com --yes', 'yes=false\n');
    expect(output).not.toContain('RAN');
    expect(status).toBe(2);
  });
});
