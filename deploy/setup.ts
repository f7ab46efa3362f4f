import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { Command } from 'commander';
import { checkCredentials } from './credentials.ts';
import { checkDatabaseUrl, readDatabaseUrl } from './database-url.ts';
import { writeEnvFile } from './env-file.ts';
import { formatCheck } from './checks.ts';
import { interview } from './interview.ts';
import { checkMailRecords, readDomain } from './mail-records.ts';
import { findFault, findObstacles } from './obstacles.ts';
import { findNameFault, readProductName, renameProduct } from './product-name.ts';
import { envFile, readValues } from './values.ts';
import { type Values, variableNames } from './variables.ts';

const { yes } = new Command('setup')
  .description('Asks for all that a deployment needs, checks it, and writes it into the file .env.')
  .option('--yes', 'ask nothing: take what the environment and .env say')
  .addHelpText(
    'after',
    '\nIt can be run again: what is there stays unless it is replaced. Without a terminal it asks nothing.' +
      '\nPRODUCT_NAME in the environment names the product.' +
      '\nIts exit status is 1 as long as something stands in the way of a deployment.',
  )
  .parse()
  .opts<{ yes?: boolean }>();

const oldName = readProductName();
const given = { name: process.env['PRODUCT_NAME']?.trim() || oldName, values: readValues(process.env) };
const nameFault = findNameFault(given.name);
// The old one may have been written by hand, and stands.
if (nameFault && given.name !== oldName) {
  console.error(`Nothing was written. PRODUCT_NAME is malformed: s${nameFault.slice(1)}.`);
  process.exit(1);
}
const isAttended = !yes && process.stdin.isTTY && process.stdout.isTTY;
const answers = isAttended ? await interview(given) : given;
if (answers === undefined) {
  console.error('Stopped: nothing was written.');
  process.exit(1);
}

const values = complete(answers.values);
try {
  writeEnvFile(envFile, values);
} catch (error) {
  console.error(`Nothing was written. ${(error as Error).message}`);
  process.exit(1);
}
console.log(`\nWritten: ${envFile}, which only you can read and git ignores.`);
if (answers.values.TOKEN_SECRET === undefined) {
  console.log(
    '\nTOKEN_SECRET is new. Keep a copy of it.\nIf the site is live already, STOP: put the one that it runs with into .env, from the .env or the copy of whoever set it up. With the new one the links to leave in messages that were sent stop working, and who must never be mailed again is forgotten.',
  );
}
if (answers.name !== oldName) {
  renameProduct(answers.name);
  console.log(
    `Renamed in src/site.ts: ${oldName} is ${answers.name}. The next build renews the e-mail; commit both.`,
  );
}
await report(values);

/** Adds the secret that nobody has to think of, and leaves out what is malformed and a password where it is not used. */
function complete(answered: Values): Record<string, string> {
  const usable: Values = {};
  for (const name of variableNames) {
    const value = answered[name];
    if (value !== undefined && findFault(name, value) === undefined) usable[name] = value;
  }
  // A malformed one is not replaced: it may be the one that signed the links that are out.
  if (answered.TOKEN_SECRET === undefined) usable.TOKEN_SECRET = randomBytes(32).toString('base64url');
  if (usable.SUPABASE_DB_URL) usable.SUPABASE_DB_URL = readDatabaseUrl(usable.SUPABASE_DB_URL);
  return usable;
}

async function report(written: Values): Promise<void> {
  const { RESEND_BASE_URL, SUPABASE_API_URL, CLOUDFLARE_API_BASE_URL, DNS_SERVER } = process.env;
  const resolver = new Resolver({ timeout: 3000, tries: 1 });
  if (DNS_SERVER) resolver.setServers([DNS_SERVER]);
  const sender = written.PUBLIC_EMAIL_SENDER;
  const [credentials, mailRecords] = await Promise.all([
    checkCredentials(written, {
      supabase: SUPABASE_API_URL || 'https://api.supabase.com',
      resend: RESEND_BASE_URL || 'https://api.resend.com',
      cloudflare: CLOUDFLARE_API_BASE_URL || 'https://api.cloudflare.com/client/v4',
    }),
    sender ? checkMailRecords(readDomain(sender), resolver) : [],
  ]);
  const databaseUrl = written.SUPABASE_DB_URL && checkDatabaseUrl(written.SUPABASE_DB_URL);
  const checks = [...(databaseUrl ? [databaseUrl] : []), ...credentials, ...mailRecords];
  if (checks.length > 0) console.log(`\n${checks.map(formatCheck).join('\n')}`);

  const obstacles = [
    // Of the given values too, so that one that was too malformed to be written is called that and not missing.
    ...findObstacles({ ...answers?.values, ...written }),
    // What DNS lacks holds up the mail; what a service refuses stops a deployment half way.
    ...credentials.filter(({ state }) => state === 'bad').map(({ subject, text }) => `${subject}: ${text}`),
  ];
  if (obstacles.length > 0) {
    console.log(`\nStill in the way of a deployment:\n${obstacles.map((line) => `  ${line}`).join('\n')}`);
    process.exitCode = 1;
  } else {
    console.log('\nNothing is in the way. Next: npm run deploy -- --dry-run, and docs/deploy.md.');
  }
}
