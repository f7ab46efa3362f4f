import { resolve } from 'node:path';
import { Command } from 'commander';
import { readRunFile } from '../local/run-file.ts';
import { Waitlist } from './waitlist-client.ts';

const program = new Command('waitlist')
  .description(
    'Reads and keeps the waitlist: of the local stack while it runs, or of a hosted project when SUPABASE_URL and SUPABASE_SECRET_KEY are set.',
  )
  .showHelpAfterError();

program
  .command('list')
  .description('Print the members, the oldest first.')
  .option('--json', 'print JSON: email, created_at and source of each member')
  .addHelpText('after', '\nExamples:\n  npm run waitlist -- list\n  npm run --silent waitlist -- list --json')
  .action(async ({ json }: { json?: boolean }) => {
    const entries = await openWaitlist().listEntries();
    print(json, entries, 'Nobody is on the list yet.');
  });

program
  .command('remove')
  .description('Take an address off the list, and call a welcome back that was not sent yet.')
  .argument('<address>')
  .action(async (address: string) => {
    await openWaitlist().remove(address);
    console.log('The address is not on the list any more.');
  });

program
  .command('undelivered')
  .description(
    'Print the welcomes that wait, were refused by the provider, or may or may not have been sent.',
  )
  .option('--json', 'print JSON')
  .action(async ({ json }: { json?: boolean }) => {
    print(json, await openWaitlist().listUndelivered(), 'Every welcome was sent.');
  });

program
  .command('retry')
  .description('Send refused and unknown welcomes again. An unknown one may then arrive a second time.')
  .argument('[address]', 'only this one')
  .action(async (address?: string) => {
    console.log(`${await openWaitlist().retry(address)} to be sent again.`);
  });

try {
  await program.parseAsync();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function openWaitlist(): Waitlist {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: secretKey, DATA_DIR: dataDir } = process.env;
  if (url && secretKey) return new Waitlist(url, secretKey);
  if (url || secretKey) {
    const missing = url ? 'SUPABASE_SECRET_KEY' : 'SUPABASE_URL';
    throw new Error(`${missing} is missing: a hosted project needs SUPABASE_URL and SUPABASE_SECRET_KEY.`);
  }
  const record = readRunFile(resolve(import.meta.dirname, '..', dataDir || '.data'));
  if (record) return new Waitlist(record.apiUrl, record.secretKey);
  throw new Error(
    'No waitlist to read. Start the local stack with npm start, or set SUPABASE_URL and SUPABASE_SECRET_KEY of a hosted project.',
  );
}

function print(json: boolean | undefined, rows: object[], whenEmpty: string): void {
  if (json) return console.log(JSON.stringify(rows, null, 2));
  if (rows.length === 0) return console.log(whenEmpty);
  const lines = rows.map((row) => Object.values(row).map((value) => String(value ?? '')));
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}
