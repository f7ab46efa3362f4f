import type { Command } from 'commander';
import { runProbe } from '../probe/main.ts';
import { describe, type Options } from '../command.ts';
import type { Waitlist } from '../waitlist-client.ts';

export function addProbe(program: Command, open: () => Waitlist): void {
  describe(
    program.command('probe'),
    'Check a deployment from outside: its pages, and a test sign-up with its welcome. Removes what it created.',
    ['probe --hosted', 'probe --hosted --json'],
    'A probe can take two minutes. The exit status is 1 if something failed; a warning is not a failure.',
  ).action(({ json }: Options) => runProbe(open().project, { json }));
}
