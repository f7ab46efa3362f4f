import postgres from 'postgres';

/** Makes the database call the e-mail function every minute, or says what to do when it cannot. */
const { DATABASE_URL = '', PGPASSWORD, FUNCTION_URL = '', PUBLIC_KEY = '' } = process.env;

const sql = postgres(DATABASE_URL, {
  max: 1,
  connect_timeout: 15,
  onnotice: () => {},
  // A pooler in transaction mode does not keep prepared statements.
  prepare: false,
  ...(PGPASSWORD && { password: PGPASSWORD }),
});
try {
  const [answer] = await sql`select private.schedule_delivery(${FUNCTION_URL}, ${PUBLIC_KEY}) as is_set`;
  console.log(
    answer?.['is_set']
      ? 'The database sends waiting welcomes every minute.'
      : `This database has no pg_cron and pg_net. Call ${FUNCTION_URL}/deliver every minute from elsewhere: POST, with the publishable key in the header apikey.`,
  );
} catch (error) {
  console.error(`The clock could not be set: ${(error as Error).message}.`);
  // Only the database itself can miss an extension; a lost connection says nothing about it.
  if (error instanceof postgres.PostgresError)
    console.error(
      'If an extension is missing, enable pg_cron and pg_net yourself (Supabase, Database, Extensions).',
    );
  process.exitCode = 1;
} finally {
  await sql.end();
}
