import type postgres from 'postgres';
import { waitUntil } from '../../ops/stack/process.ts';
import { sql } from './sign-ups.ts';

/** Runs a statement in a transaction that stays open until `commit` is called. Resolves once the statement has run. */
export async function holdOpen(
  work: (transaction: postgres.TransactionSql) => Promise<unknown>,
): Promise<{ commit(): Promise<void> }> {
  const ran = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const transaction = sql.begin(async (open) => {
    await work(open);
    ran.resolve();
    await mayCommit.promise;
  });
  await Promise.race([ran.promise, transaction]);
  return {
    async commit() {
      mayCommit.resolve();
      await transaction;
    },
  };
}

/** Resolves to whether somebody begins to wait for a lock in this database within ten seconds. */
export const somebodyWaits = () =>
  waitUntil(async () => {
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length > 0;
  }, 10_000);
