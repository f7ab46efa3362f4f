import type { Command } from 'commander';
import { describe, type Options } from '../command.ts';
import { say } from '../output.ts';
import { printFindings, probe } from '../probe/probe.ts';
import type { Waitlist } from '../waitlist-client.ts';

export function addProbe(program: Command, open: () => Waitlist): void {
  describe(
    program.command('probe'),
    'Check a deployment from outside: its pages, and a test sign-up with its welcome. Takes the test address off the list again.',
    ['probe --hosted', 'probe --hosted --json'],
    'A probe can take two minutes. With --json, each finding is a line. The exit status is 1 if something failed; a warning is not a failure.',
  ).action(async ({ json }: Options) => {
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
    const isFine = await printFindings(probe(open().project, stop.signal), say, json);
    if (!isFine || stop.signal.aborted) process.exitCode = 1;
  });
}
