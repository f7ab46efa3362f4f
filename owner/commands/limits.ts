import type { Command } from 'commander';
import { parseCount } from '../arguments.ts';
import { printJson } from '../output.ts';
import { openWaitlist } from '../project.ts';
import { UsageError } from '../usage-error.ts';

/** Adds the command that shows the limits, and the one below it that sets one. */
export function addLimits(program: Command): void {
  const limits = program
    .command('limits')
    .description('Print the limits of sign-up and delivery, or set one.')
    .option('--json', 'print a JSON array: name, value and meaning of each')
    .addHelpText(
      'after',
      `
Examples:
  npm run waitlist -- limits
  npm run waitlist -- limits set deliveries 5`,
    )
    .action(showLimits);
  limits
    .command('set')
    .description('Set a limit. It holds from the next call on.')
    .argument('<name>', 'as "limits" prints it')
    .argument('<value>', 'a whole number from 1 on', parseCount)
    .option('--json', 'print JSON: name, value, previous value and meaning')
    .addHelpText(
      'after',
      `
Examples:
  npm run waitlist -- limits set addresses 10000
  npm run --silent waitlist -- limits set caller_addresses 100 --json`,
    )
    .action(setLimit);
}

async function showLimits({ json }: { json?: boolean }): Promise<void> {
  const limits = await openWaitlist().listLimits();
  if (json) return printJson(limits);
  const nameWidth = Math.max(...limits.map(({ name }) => name.length));
  const valueWidth = Math.max(...limits.map(({ value }) => String(value).length));
  for (const { name, value, meaning } of limits) {
    console.log(`${name.padEnd(nameWidth)}  ${String(value).padStart(valueWidth)}  ${meaning}`);
  }
}

async function setLimit(name: string, value: number, { json }: { json?: boolean }): Promise<void> {
  const waitlist = openWaitlist();
  const limits = await waitlist.listLimits();
  const limit = limits.find((known) => known.name === name);
  if (!limit) {
    const names = limits.map((known) => known.name).join(', ');
    throw new UsageError(`There is no limit "${name}". The limits are: ${names}.`);
  }
  await waitlist.setLimit(name, value);
  if (json) printJson({ name, value, previous: limit.value, meaning: limit.meaning });
  else console.log(`${name} is ${value} now, and was ${limit.value}: ${limit.meaning}`);
}
