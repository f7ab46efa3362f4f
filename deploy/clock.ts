import postgres from 'postgres';

/** Sets the clock that sends what waits, at a database that has one; says what to do at one that has none. */
const { DATABASE_URL = '', PGPASSWORD, FUNCTION_URL = '', PUBLIC_KEY = '' } = process.env;

const sql = postgres(DATABASE_URL, {
  max: 1,
  connect_timeout: 15,
  onnotice: () => {},
  // A pooler in transaction mode keeps no prepared statement.
  prepare: false,
  ...(PGPASSWORD && { password: PGPASSWORD }),
});
try {
  const [offer] = await sql`
    select count(*)::int as extensions from pg_available_extensions where name in ('pg_cron', 'pg_net')`;
  if (offer?.['extensions'] === 2) await makeExtensions();
  const [answer] = await sql`select private.schedule_delivery(${FUNCTION_URL}, ${PUBLIC_KEY}) as is_set`;
  console.log(
    answer?.['is_set']
      ? 'Welcomes that wait are sent every minute.'
      : `This database has no pg_cron and pg_net: have ${FUNCTION_URL}/deliver called every minute from elsewhere, with the publishable key as the header apikey.`,
  );
} catch (error) {
  console.error(`The clock could not be set: ${(error as Error).message}.`);
  process.exitCode = 1;
} finally {
  await sql.end();
}

async function makeExtensions(): Promise<void> {
  try {
    await sql`create extension if not exists pg_cron`;
    await sql`create extension if not exists pg_net`;
  } catch (error) {
    throw new Error(
      `${(error as Error).message}. Enable pg_cron and pg_net yourself (Supabase, Database, Extensions)`,
    );
  }
}
