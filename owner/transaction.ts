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
  const advice = [
    [/^28/, 'refuses the password. Check SUPABASE_DB_PASSWORD in .env.'],
    [/^(CONNECT|E[A-Z]+$)/, `cannot be reached (${code}). Check SUPABASE_DB_URL and the network.`],
    [/^40P01$/, 'was busy with a sign-up at that moment, so nothing was changed. Run it again.'],
  ] as const;
  const [, said] = advice.find(([pattern]) => pattern.test(code)) ?? [];
  return said ? new Error(`The database at ${host} ${said}`) : error;
}
