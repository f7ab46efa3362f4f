import type { Command } from 'commander';
import { suggest } from '../../ground/nearest.ts';
import { parseCount } from '../arguments.ts';
import { describe, type Options } from '../command.ts';
import { formatFigure } from '../formats.ts';
import { printJson, say } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Limit {
  name: string;
  value: number;
  lowest: number;
  highest: number;
  meaning: string;
}

/** Adds the command that prints the limits, with the subcommand that sets one. */
export function addLimits(program: Command, open: () => Waitlist): void {
  const limits = program.command('limits');
  describe(limits, 'Print the limits on sign-ups and deliveries, or set one.', [
    'limits',
    'limits set deliveries 5',
  ]).action(({ json }: Options) => showLimits(open(), json));
  describe(limits.command('set'), 'Set a limit. It applies to the next call.', ['limits set addresses 10000'])
    .argument('<name>', 'the name of a limit, as "limits" prints it')
    .argument('<value>', 'a whole number in the range that "limits" prints', parseCount)
    .action((name: string, value: number, { json }: Options) => setLimit(open(), name, value, json));
}

async function showLimits(waitlist: Waitlist, json?: true): Promise<void> {
  const limits = await waitlist.call<Limit[]>('list_limits');
  if (json) return printJson(limits);
  const write = ({ name, value, lowest, highest, meaning }: Limit) =>
    formatFigure(name, value, `${`(${lowest} to ${highest})`.padEnd(18)}${meaning}`);
  say(...limits.map(write));
}

async function setLimit(waitlist: Waitlist, name: string, value: number, json?: true): Promise<void> {
  const limits = await waitlist.call<Limit[]>('list_limits');
  const limit = limits.find((known) => known.name === name);
  if (!limit) {
    const names = limits.map((known) => known.name);
    throw new UsageError(`There is no limit "${name}". ${suggest(name, names, 'The limits are')}`);
  }
  const { lowest, highest, value: previous } = limit;
  if (value < lowest || value > highest)
    throw new UsageError(`${name} must be from ${lowest} to ${highest}.`);
  await waitlist.call('set_limit', { name, value });
  if (json) printJson({ name, value, previous });
  else say(`${name} is now ${value}. It was ${previous}.`);
}
