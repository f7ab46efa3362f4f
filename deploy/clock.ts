import postgres from 'postgres';

/** Makes the database call the email function every minute. If it has nothing to do that with, it says so in a notice. */
const { DATABASE_URL = '', FUNCTION_URL = '', PUBLIC_KEY = '' } = process.env;

const sql = postgres(DATABASE_URL, {
  max: 1,
  connect_timeout: 15,
  onnotice: ({ message }) => console.log(message),
});
try {
  await sql`select private.schedule_delivery(${FUNCTION_URL}, ${PUBLIC_KEY})`;
} catch (error) {
  console.error(`The clock could not be set: ${(error as Error).message}.`);
  process.exitCode = 1;
} finally {
  await sql.end();
}
