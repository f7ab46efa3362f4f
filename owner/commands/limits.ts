import type { Command } from 'commander';
import { parseCount } from '../arguments.ts';
import { printJson } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import type { Waitlist } from '../waitlist-client.ts';

/** Adds the command that prints the limits, and below it the one that sets one. */
export function addLimits(program: Command, open: () => Waitlist): void {
  const limits = program
    .command('limits')
    .description('Print the limits of sign-up and delivery, or set one.')
    .option('--json', 'print a JSON array: name, value, lowest, highest and meaning of each')
    .addHelpText(
      'after',
      `
Examples:
  npm run waitlist -- limits
  npm run waitlist -- limits set deliveries 5`,
    )
    .action(({ json }: { json?: true }) => showLimits(open(), json));
  limits
    .command('set')
    .description('Set a limit. It applies from the next call on.')
    .argument('<name>', 'as "limits" prints it')
    .argument('<value>', 'a whole number in the range that "limits" prints', parseCount)
    .option('--json', 'print JSON: name, value and previous value')
    .addHelpText(
      'after',
      `
Example:
  npm run waitlist -- limits set addresses 10000`,
    )
    .action((name: string, value: number, { json }: { json?: true }) => setLimit(open(), name, value, json));
}

async function showLimits(waitlist: Waitlist, json = false): Promise<void> {
  const limits = await waitlist.listLimits();
  if (json) return printJson(limits);
  const rows = limits.map(({ name, value, lowest, highest, meaning }) => [
    name,
    value,
    `${lowest} to ${highest}`,
    meaning,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const [name, value, range, meaning] of rows)
    console.log(
      `${String(name).padEnd(widths[0]!)}  ${String(value).padStart(widths[1]!)}  (${range})`.padEnd(
        widths[0]! + widths[1]! + widths[2]! + 6,
      ) + `  ${meaning}`,
    );
}

async function setLimit(waitlist: Waitlist, name: string, value: number, json = false): Promise<void> {
  const limits = await waitlist.listLimits();
  const limit = limits.find((known) => known.name === name);
  if (!limit) {
    const names = limits.map((known) => known.name).join(', ');
    throw new UsageError(`There is no limit "${name}". The limits are: ${names}.`);
  }
  const { lowest, highest, value: previous } = limit;
  if (value < lowest || value > highest)
    throw new UsageError(`${name} must be from ${lowest} to ${highest}.`);
  await waitlist.setLimit(name, value);
  if (json) printJson({ name, value, previous });
  else console.log(`${name} is now ${value}. It was ${previous}.`);
}
