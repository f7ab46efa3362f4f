import type { Command } from 'commander';
import { describe, type Options } from '../command.ts';
import { say } from '../output.ts';
import { printFindings, probe } from '../probe/probe.ts';
import type { Waitlist } from '../waitlist-client.ts';

export function addProbe(program: Command, open: () => Waitlist): void {
  describe(
    program.command('probe'),
    'Check a deployment from outside: its pages, and a test sign-up with its welcome. Removes what it created.',
    ['probe --hosted', 'probe --hosted --json'],
    'A probe can take two minutes. The exit status is 1 if something failed; a warning is not a failure.',
  ).action(async ({ json }: Options) => {
    const stop = new AbortController();
    const end = (status: number) => () => {
      process.exitCode = status;
      stop.abort(new Error('stopped'));
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end(130));
    // Nobody reads the output anymore. Exiting now would leave the sign-up behind.
    process.stdout.removeAllListeners('error').on('error', end(1));
    const findings = probe(open().project, { stop: stop.signal });
    if (json) {
      const all = await Array.fromAsync(findings);
      say(JSON.stringify(all, null, 2));
      if (all.some(({ status }) => status === 'failed')) process.exitCode ??= 1;
    } else if (!(await printFindings(findings, say))) process.exitCode ??= 1;
  });
}
