import postgres from 'postgres';
import { readDatabaseUrl } from '../deploy/values.ts';
import { type Project, requireValues } from './project.ts';

/**
 * Works on the database itself, in one transaction without a time limit: the data API would end each call after 8 seconds.
 * Throws an Error that says what to do when the database cannot be reached.
 */
export async function transact<Result>(
  project: Project,
  work: (sql: postgres.TransactionSql) => Promise<Result>,
): Promise<Result> {
  const values = requireValues(project, 'SUPABASE_DB_URL', 'SUPABASE_DB_PASSWORD');
  const url = readDatabaseUrl(values.SUPABASE_DB_URL);
  const sql = postgres(url, {
    password: values.SUPABASE_DB_PASSWORD,
    max: 1,
    connect_timeout: 15,
    onnotice: () => {},
  });
  try {
    return (await sql.begin(async (transaction) => {
      await transaction`set local statement_timeout = 0`;
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      return work(transaction);
    })) as Result;
  } catch (error) {
    throw explain(new URL(url).hostname, error as Error & { code?: string });
  } finally {
    await sql.end();
  }
}

/** Replaces the error of a connection with one that says what to do. Returns other errors unchanged. */
function explain(host: string, error: Error & { code?: string }): Error {
  const { code = '' } = error;
  if (code.startsWith('28'))
    return new Error(`The database at ${host} refuses the password. Check SUPABASE_DB_PASSWORD in .env.`);
  if (/^(CONNECT|CONNECTION_|E[A-Z]+$)/.test(code))
    return new Error(
      `The database at ${host} cannot be reached (${code}). Check SUPABASE_DB_URL and the network.`,
    );
  // Deadlock: https://www.postgresql.org/docs/current/errcodes-appendix.html
  if (code === '40P01')
    return new Error('Somebody signed up or left at that moment, so nothing was changed. Run it again.');
  return error;
}
