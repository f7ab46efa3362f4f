import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { listVariables, pickValues, type Values } from '../ground/variables.ts';
import { checkValues } from './check-values.ts';
import { writeEnvFile } from './env-file.ts';
import { findOwnFault } from './faults.ts';
import { interview } from './interview.ts';
import { envFile, readDatabaseUrl, readValues } from './values.ts';

const { yes } = new Command('setup')
  .description(
    'Asks for everything that a deployment needs, checks it, and writes it to the file .env. You can run it again: it keeps every value until you replace it.',
  )
  .option('--yes', 'ask nothing, and use the values from the environment and .env')
  .parse()
  .opts<{ yes?: boolean }>();

const isAttended = !yes && process.stdin.isTTY && process.stdout.isTTY;
const given = readValues(process.env);
const answers = isAttended ? await interview(given) : given;
if (answers === undefined) {
  console.error('Stopped: nothing was written.');
  process.exit(1);
}

const values: Values = {};
for (const name of listVariables('owner')) {
  const value = answers[name];
  // An empty answer removes an optional value. A malformed value stays in the file unchanged.
  if (value === '' || (value && !findOwnFault(name, value))) values[name] = value;
}
if (values.SUPABASE_DB_URL) values.SUPABASE_DB_URL = readDatabaseUrl(values.SUPABASE_DB_URL);
// A malformed secret is not replaced, because stored hashes may depend on it.
if (!answers.TOKEN_SECRET) {
  values.TOKEN_SECRET = randomBytes(32).toString('base64url');
  console.log(
    '\nTOKEN_SECRET is new. Keep a copy of it.\nIf the site is already live, STOP: put its current one into .env. With the new one, addresses that must never get mail again are not recognized, and the unsubscribe links of later announcements do not work.',
  );
}
writeEnvFile(envFile, values);
console.log(`\nWritten: ${envFile}. Only you can read it, and git ignores it.\n`);

const { obstacles, remark } = await checkValues(
  pickValues({ ...answers, ...values }, listVariables('owner')),
);
if (obstacles > 0) {
  console.log(`\nThen run this again.${remark}`);
  process.exitCode = 1;
} else {
  console.log(`\nNothing is missing.${remark}\nNext: npm run deploy -- --dry-run (docs/deploy.md, step 7).`);
}
