import type postgres from 'postgres';

/** Runs a statement in a transaction that stays open until `commit` is called. Resolves once the statement has run. */
export async function holdOpen(
  sql: postgres.Sql,
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

/** Returns whether somebody waits for a lock in this database. */
export async function isSomebodyWaiting(sql: postgres.Sql): Promise<boolean> {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}
