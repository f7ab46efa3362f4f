import { Command, CommanderError } from 'commander';
import { describe, type Options, UsageError } from './command.ts';
import { addAnnounce } from './commands/announce.ts';
import { addBackup } from './commands/backup.ts';
import { addDeploy } from './commands/deploy.ts';
import { addLimits } from './commands/limits.ts';
import { addBar, addExport, addForgive, addRemove, addRemoveUndelivered } from './commands/members.ts';
import { addOutbox } from './commands/outbox.ts';
import { addProbe } from './commands/probe.ts';
import { addShow } from './commands/show.ts';
import { addSummary } from './commands/summary.ts';
import { explainFileError, note, say } from './output.ts';
import { chooseProject } from './project.ts';
import { site } from '../src/config/site.ts';
import { Waitlist } from './waitlist-client.ts';

/** In the order of the help. */
const parts = [
  ...[addSummary, addExport, addRemove, addRemoveUndelivered, addBar, addForgive],
  ...[addShow, addOutbox, addAnnounce, addLimits, addBackup, addProbe, addDeploy],
];

/** Runs one command of the owner, and returns its exit status. */
export async function run(args: string[]): Promise<number> {
  let isHosted = false;
  const program = describe(
    new Command('waitlist'),
    'Manages the waitlist of the running local stack. With --hosted, it works on the deployment in .env. Without a command, it prints the summary.',
    ['', '--hosted', 'help export'],
  )
    .option('--hosted', 'work on the deployment in .env')
    .option('--json', 'print JSON, for programs')
    .version(site.version, '--version', 'print the version of this program')
    .hook('preAction', (_, command) => {
      const { hosted, json } = command.optsWithGlobals<Options & { hosted?: true }>();
      isHosted = hosted === true;
      command.setOptionValue('json', json);
    })
    .addHelpText('afterAll', '\nAll times are in UTC. docs/operations.md explains the exit status.')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for the options.')
    .configureOutput({ writeOut: (text) => say(text.trimEnd()), writeErr: (text) => note(text.trimEnd()) })
    .exitOverride();
  for (const add of parts) add(program, () => new Waitlist(chooseProject(isHosted)));
  try {
    const isBare = args.every((arg) => ['--hosted', '--json'].includes(arg));
    await program.parseAsync(isBare ? ['summary', ...args] : readHelp(program, args), { from: 'user' });
    return 0;
  } catch (error) {
    // commander has printed what was wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    note(explainFileError(error) ?? (error instanceof Error ? error.message : String(error)));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Turns `help limits set` into `limits set --help`. An unknown command is reported as it is without `help`. */
function readHelp(program: Command, args: string[]): string[] {
  const [first, ...path] = args;
  if (first !== 'help' || path.length === 0) return args;
  return program.commands.some((command) => command.name() === path[0]) ? [...path, '--help'] : path;
}
