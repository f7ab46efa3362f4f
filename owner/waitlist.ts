import { Command, CommanderError } from 'commander';
import { addAnnounce } from './commands/announce.ts';
import { addBackup } from './commands/backup.ts';
import { addCount } from './commands/count.ts';
import { addExport } from './commands/export.ts';
import { addLimits } from './commands/limits.ts';
import { addList } from './commands/list.ts';
import { addOutbox } from './commands/outbox.ts';
import { addProbe } from './commands/probe.ts';
import { addRemove } from './commands/remove.ts';
import { addRestore } from './commands/restore.ts';
import { addRetry } from './commands/retry.ts';
import { addShow } from './commands/show.ts';
import { addSummary } from './commands/summary.ts';
import { chooseProject } from './project.ts';
import { UsageError } from './usage-error.ts';
import { Waitlist } from './waitlist-client.ts';

let isHosted = false;
const choose = () => chooseProject(isHosted);
const open = () => new Waitlist(choose());

const program = new Command('waitlist')
  .description(
    'Manages the waitlist of the running local stack; of the deployment in .env, with --hosted; or of the project that SUPABASE_URL and SUPABASE_SECRET_KEY name. Without a command it prints a summary.',
  )
  .hook('preAction', (_, command) => {
    const { hosted, json } = command.optsWithGlobals<{ hosted?: true; json?: true }>();
    isHosted = hosted === true;
    command.setOptionValue('json', json);
  })
  .addHelpText(
    'afterAll',
    `
All times are in UTC.
Exit status: 0 done, 1 not done, 2 wrong use. Ctrl-C ends with 130.`,
  )
  .helpCommand(false)
  .showHelpAfterError('Add --help for the options.')
  .enablePositionalOptions()
  .exitOverride();

addSummary(program, open);
addList(program, open);
addCount(program, open);
addShow(program, open);
addExport(program, open);
addRemove(program, open);
addOutbox(program, open);
addRetry(program, open);
addAnnounce(program, choose);
addLimits(program, open);
addBackup(program, open);
addRestore(program, open);
addProbe(program, choose);
addSharedOptions(program);

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') {
    // The reader (head, less) has seen enough.
    process.exit(0);
  }
  console.error(`The output cannot be written (${code}).`);
  process.exit(1);
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Accepts --hosted and --json before and after every command. */
function addSharedOptions(command: Command): void {
  command.option('--hosted', 'work on the deployment in .env');
  command.option('--json', 'print JSON, for programs');
  for (const below of command.commands) addSharedOptions(below);
}

/** Prints what went wrong, unless commander did, and returns the exit status. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(error instanceof Error ? error.message : String(error));
  return error instanceof UsageError ? 2 : 1;
}
