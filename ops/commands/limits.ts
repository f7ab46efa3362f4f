import type { Command } from 'commander';
import { describe, type Options, UsageError } from '../command.ts';
import { answer, formatFigure } from '../output.ts';
import { suggest } from '../../src/content-model/nearest.ts';
import type { Waitlist } from '../waitlist-client.ts';

type Limit = Record<'name' | 'meaning', string> & Record<'value' | 'lowest' | 'highest', number>;

export function addLimits(program: Command, open: () => Waitlist): void {
  const limits = describe(
    program.command('limits'),
    'Print the limits on sign-ups and deliveries, or set one.',
    ['limits', 'limits set deliveries 5'],
  ).action(async ({ json }: Options) => {
    const known = await open().call<Limit[]>('list_limits');
    const lines = known.map(({ name, value, lowest, highest, meaning }) =>
      formatFigure(name, value, `${`(${lowest} to ${highest.toLocaleString('en')})`.padEnd(20)}${meaning}`),
    );
    answer(json, known, ...lines);
  });
  describe(limits.command('set'), 'Set a limit. It applies within a minute.', ['limits set all_calls 100000'])
    .argument('<name>', 'the name of a limit, as "limits" prints it')
    .argument('<value>', 'a whole number in its range', (text) =>
      /^\d+(,\d{3})*$/.test(text) ? Number(text.replaceAll(',', '')) : NaN,
    )
    .action(async (name: string, value: number, { json }: Options) => {
      const waitlist = open();
      const known = await waitlist.call<Limit[]>('list_limits');
      const limit = known.find((one) => one.name === name);
      if (!limit) {
        const names = known.map((one) => one.name);
        throw new UsageError(`There is no limit "${name}". ${suggest(name, names, 'There are')}`);
      }
      const { lowest, highest } = limit;
      if (!Number.isInteger(value) || value < lowest || value > highest)
        throw new UsageError(`${name} must be from ${lowest} to ${highest}.`);
      await waitlist.call('set_limit', { name, value });
      answer(json, { name, value }, `${name} is now ${value}. It was ${limit.value}.`);
    });
}
