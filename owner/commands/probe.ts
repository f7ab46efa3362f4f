import type { Command } from 'commander';
import { runProbe } from '../../probe/main.ts';
import { readTarget } from '../../probe/target.ts';
import { describe, type Options } from '../command.ts';
import type { Project } from '../project.ts';
import { UsageError } from '../usage-error.ts';

/** Adds the command that probes a deployment. */
export function addProbe(program: Command, choose: () => Project): void {
  describe(
    program.command('probe'),
    'Check a deployment from outside: its pages, and one sign-up with its welcome, which is removed again.',
    ['probe --hosted', 'probe --hosted --json'],
    'Exit status: 0 if nothing failed, 1 if something did, 2 for wrong use. It may take two minutes.',
  ).action(({ json }: Options) => runProbe(readProject(choose()), { json }));
}

function readProject(project: Project) {
  try {
    return readTarget(project);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
