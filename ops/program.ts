import { Command, CommanderError } from 'commander';
import { describe, type Options, UsageError } from './command.ts';
import { addAnnounce } from './commands/announce.ts';
import { addBackup } from './commands/backup.ts';
import { addLimits } from './commands/limits.ts';
import { addMembers } from './commands/members.ts';
import { addOutbox } from './commands/outbox.ts';
import { addProbe } from './commands/probe.ts';
import { addShow } from './commands/show.ts';
import { addSummary } from './commands/summary.ts';
import { note, say } from './output.ts';
import { chooseProject } from './project.ts';
import { Waitlist } from './waitlist-client.ts';

/** Runs one command of the owner, and returns its exit status. */
export async function run(args: string[]): Promise<number> {
  let isHosted = false;
  const program = describe(
    new Command('waitlist'),
    'Manages the waitlist of the running local stack. With --hosted, it works on the deployment in .env. Without a command, it prints the summary.',
    ['--hosted'],
  )
    .usage('[options] [command]')
    .hook('preAction', (_, command) => {
      // --hosted and --json may come before the command and after it.
      const { hosted, json } = command.optsWithGlobals<Options & { hosted?: true }>();
      isHosted = hosted === true;
      command.setOptionValue('json', json);
    })
    .addHelpText('afterAll', '\nAll times are in UTC. docs/operations.md explains the exit status.')
    .helpCommand('help [command]', 'Print how to use a command.')
    .showHelpAfterError('Add --help for the options.')
    .enablePositionalOptions()
    .configureOutput({ writeOut: (text) => say(text.trimEnd()), writeErr: (text) => note(text.trimEnd()) })
    .exitOverride();
  const open = () => new Waitlist(chooseProject(isHosted));
  // In the order of the help.
  for (const add of [addSummary, addMembers, addShow, addOutbox, addAnnounce, addLimits, addBackup, addProbe])
    add(program, open);
  try {
    const isBare = args.every((arg) => ['--hosted', '--json'].includes(arg));
    await program.parseAsync(isBare ? ['summary', ...args] : args, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has printed what was wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    note(error instanceof Error ? error.message : String(error));
    return error instanceof UsageError ? 2 : 1;
  }
}
