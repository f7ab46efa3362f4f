import postgres from 'postgres';
import { readDatabaseUrl } from '../deploy/values.ts';
import { type Project, requireValues } from './project.ts';

/**
 * Works on the database itself, in one transaction without a time limit: the data API would end each call after 8 seconds.
 * Throws an Error that says what to do.
 */
export async function transact<Result>(
  project: Project,
  work: (sql: postgres.TransactionSql) => Promise<Result>,
): Promise<Result> {
  const values = requireValues(project, 'SUPABASE_DB_URL', 'SUPABASE_DB_PASSWORD');
  const url = readDatabaseUrl(values.SUPABASE_DB_URL);
  const password = values.SUPABASE_DB_PASSWORD;
  const sql = postgres(url, { password, max: 1, connect_timeout: 15, onnotice: () => {} });
  try {
    return (await sql.begin(async (transaction) => {
      await transaction`set local statement_timeout = 0`;
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      return work(transaction);
    })) as Result;
  } catch (error) {
    throw new Error(
      `The database at ${new URL(url).host} says: ${(error as Error).message}. Nothing was changed. Check SUPABASE_DB_URL and SUPABASE_DB_PASSWORD in .env, or run it again.`,
    );
  } finally {
    await sql.end();
  }
}
