import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import type { Values } from '../shared/variables.ts';
import { makeFingerprint } from '../functions/_shared/mailbox.ts';
import { site } from '../src/config/site.ts';
import { UsageError } from './command.ts';
import { explainFileError } from './output.ts';
import { readTokenSecrets, requireValues } from './project.ts';
import { readDatabaseUrl, root } from './values.ts';

/**
 * Works on the database itself, without a time limit: the data API would end each call after 8 seconds. Throws an Error that
 * says what to do.
 */
export async function useDatabase<Result>(project: Values, work: (sql: Sql) => Promise<Result>) {
  const values = requireValues(project, 'SUPABASE_DB_URL', 'SUPABASE_DB_PASSWORD');
  const url = readDatabaseUrl(values.SUPABASE_DB_URL);
  const password = values.SUPABASE_DB_PASSWORD;
  const sql = postgres(url, { password, max: 1, connect_timeout: 15, onnotice: () => {} });
  try {
    await sql`set statement_timeout = 0`;
    return await work(sql);
  } catch (error) {
    if (error instanceof UsageError || explainFileError(error)) throw error;
    throw new Error(
      `The database at ${new URL(url).host} says: ${(error as Error).message}. Check SUPABASE_DB_URL and SUPABASE_DB_PASSWORD in .env, or run the command again.`,
      { cause: error },
    );
  } finally {
    await sql.end();
  }
}

/** Throws a UsageError if a migration was edited after it was applied, with its name. Comments and spaces may change. */
export async function refuseEditedMigrations(sql: Sql): Promise<void> {
  const [{ history }] = await sql<[{ history: string | null }]>`
    select to_regclass('supabase_migrations.schema_migrations') as history`;
  if (!history) return;
  const applied = await sql<{ version: string; text: string }[]>`
    select version, array_to_string(statements, '') as text from supabase_migrations.schema_migrations`;
  const simplify = (text = '') => text.replace(/--.*|[\s;]/g, '');
  for (const [file, text] of readFolder('migrations')) {
    const known = applied.find(({ version }) => file.startsWith(version));
    if (known && simplify(known.text) !== simplify(text))
      throw new UsageError(
        `supabase/migrations/${file} was edited after it was applied. Restore the original, and write the change into a new migration.`,
      );
  }
}

/** Puts every function, view and trigger of supabase/routines/ in place, all or none. */
export async function applyRoutines(sql: Sql): Promise<void> {
  const routines = [...readFolder('routines')].map(([, text]) => text).join('\n');
  await sql.begin(async (transaction) => {
    // In the order in which a removal and a sign-up lock them, or this could deadlock with one.
    await transaction`drop view if exists private.undelivered`;
    await transaction`lock table public.waitlist_emails in share row exclusive mode`;
    // A function may call one that is created after it. The second time, every body is checked.
    for (const check of ['off', 'on'])
      await transaction.unsafe(`set local check_function_bodies = ${check}; ${routines}`);
  });
}

/** Reads the fingerprint of the secret that made the hashes of the database; `undefined` before the first deployment. */
export async function readFingerprint(sql: Sql): Promise<string | undefined> {
  const [{ known }] = await sql<[{ known: unknown }]>`select to_regclass('private.deployment') as known`;
  if (!known) return undefined;
  const rows = await sql<{ secret_fingerprint: string }[]>`select secret_fingerprint from private.deployment`;
  return rows[0]?.secret_fingerprint;
}

export const otherSecret =
  'TOKEN_SECRET: its last secret is not the one that made the hashes of the database. Use the one of the live site. If it is lost, see docs/deploy.md, “When TOKEN_SECRET is lost”.';

/** Throws a UsageError if TOKEN_SECRET did not make the hashes of a database whose fingerprint is `known`. */
export function refuseOtherSecret(known: string | null | undefined, values: Values): void {
  if (known && known !== makeFingerprint(readTokenSecrets(values))) throw new UsageError(otherSecret);
}

/** Records the version that is deployed. Throws a UsageError if the hashes of the database were made with another secret. */
export async function recordDeployment(sql: Sql, values: Values): Promise<void> {
  const { count } = await sql`
    insert into private.deployment as known (version, secret_fingerprint)
    values (${site.version}, ${makeFingerprint(readTokenSecrets(values))})
    on conflict (only_row) do update set version = excluded.version, deployed_at = now()
      where known.secret_fingerprint = excluded.secret_fingerprint`;
  if (count === 0) throw new UsageError(otherSecret);
  // The clock may have stood still until now: it gets a quarter of an hour.
  await sql`update private.pace set counted_at = now() - interval '1 minute', next_delivery_at = greatest(next_delivery_at, now())`;
}

function* readFolder(name: string): Generator<[file: string, text: string]> {
  const folder = join(root, 'supabase', name);
  for (const file of readdirSync(folder).toSorted())
    if (file.endsWith('.sql')) yield [file, readFileSync(join(folder, file), 'utf8')];
}
