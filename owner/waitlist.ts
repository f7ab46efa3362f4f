import { Command, CommanderError } from 'commander';
import type { Options } from './command.ts';
import { addAnnounce } from './commands/announce.ts';
import { addBackup } from './commands/backup.ts';
import { addLimits } from './commands/limits.ts';
import { addMembers } from './commands/members.ts';
import { addOutbox } from './commands/outbox.ts';
import { addProbe } from './commands/probe.ts';
import { addShow } from './commands/show.ts';
import { addSummary } from './commands/summary.ts';
import { chooseProject } from './project.ts';
import { UsageError } from './usage-error.ts';
import { Waitlist } from './waitlist-client.ts';

let isHosted = false;
const open = () => new Waitlist(chooseProject(isHosted));

const program = new Command('waitlist')
  .hook('preAction', (_, command) => {
    // --hosted and --json may come before the command and after it.
    const { hosted, json } = command.optsWithGlobals<Options & { hosted?: true }>();
    isHosted = hosted === true;
    command.setOptionValue('json', json);
  })
  .addHelpText(
    'afterAll',
    '\nAll times are in UTC.\nExit status: 0 for success, 1 for failure, 2 for wrong usage, 130 after Ctrl-C.',
  )
  .helpCommand(false)
  .showHelpAfterError('Add --help for the options.')
  .enablePositionalOptions()
  .exitOverride();

// In the order of the help.
for (const add of [addSummary, addMembers, addShow, addOutbox, addAnnounce, addLimits, addBackup, addProbe])
  add(program, open);

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader (head, less) has seen enough.
  if (code === 'EPIPE') process.exit(0);
  console.error(`The output cannot be written (${code}).`);
  process.exit(1);
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Prints what went wrong, unless commander did, and returns the exit status. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(error instanceof Error ? error.message : String(error));
  return error instanceof UsageError ? 2 : 1;
}
