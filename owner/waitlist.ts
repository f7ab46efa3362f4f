import { resolve } from 'node:path';
import { Command } from 'commander';
import { readRunFile } from '../local/run-file.ts';
import { type Entry, listEntries, type Project } from './entries.ts';

const program = new Command('waitlist')
  .description(
    'Reads the waitlist: of the local stack while it runs, or of a hosted project when SUPABASE_URL and SUPABASE_SECRET_KEY are set.',
  )
  .showHelpAfterError();

program
  .command('list')
  .description('Print the members, the oldest first.')
  .option('--json', 'print JSON: email, created_at and source of each member')
  .addHelpText('after', '\nExamples:\n  npm run waitlist -- list\n  npm run --silent waitlist -- list --json')
  .action(async ({ json }: { json?: boolean }) => {
    const entries = await listEntries(findProject());
    console.log(json ? JSON.stringify(entries, null, 2) : formatTable(entries));
  });

try {
  await program.parseAsync();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function findProject(): Project {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secretKey, DATA_DIR: dataDir } = process.env;
  if (url && secretKey) return { url, secretKey };
  if (url || secretKey) {
    const missing = url ? 'SUPABASE_SECRET_KEY' : 'SUPABASE_URL';
    throw new Error(`${missing} is missing: a hosted project needs SUPABASE_URL and SUPABASE_SECRET_KEY.`);
  }
  const record = readRunFile(resolve(import.meta.dirname, '..', dataDir || '.data'));
  if (record) return { url: record.apiUrl, secretKey: record.secretKey };
  throw new Error(
    'No waitlist to read. Start the local stack with npm start, or set SUPABASE_URL and SUPABASE_SECRET_KEY of a hosted project.',
  );
}

function formatTable(entries: Entry[]): string {
  if (entries.length === 0) return 'Nobody is on the list yet.';
  const width = Math.max(...entries.map(({ email }) => email.length));
  return entries
    .map(({ email, created_at, source }) => `${email.padEnd(width)}  ${created_at}  ${source}`)
    .join('\n');
}
