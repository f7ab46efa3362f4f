import { Command, CommanderError } from 'commander';
import { addCount } from './commands/count.ts';
import { addExport } from './commands/export.ts';
import { addLimits } from './commands/limits.ts';
import { addList } from './commands/list.ts';
import { addOutbox } from './commands/outbox.ts';
import { addProbe } from './commands/probe.ts';
import { addRemove } from './commands/remove.ts';
import { addRetry } from './commands/retry.ts';
import { addReturned } from './commands/returned.ts';
import { chooseDeployment } from './project.ts';
import { UsageError } from './usage-error.ts';

const program = new Command('waitlist')
  .description(
    'Reads and keeps the waitlist: of the local stack while it runs; of the deployment that .env describes, with --hosted; or of the project that SUPABASE_URL and SUPABASE_SECRET_KEY name.',
  )
  .hook('preAction', (_, command) => {
    if (command.optsWithGlobals<{ hosted?: boolean }>().hosted) chooseDeployment();
  })
  .addHelpText(
    'afterAll',
    `
Every command takes --json. All times are in UTC.
Exit status: 0 done, 1 not done, 2 wrong use. Ctrl-C ends with 130.`,
  )
  .showHelpAfterError('Add --help to see how it is used.')
  .enablePositionalOptions()
  .exitOverride();

addList(program);
addCount(program);
addExport(program);
addRemove(program);
addOutbox(program);
addRetry(program);
addReturned(program);
addLimits(program);
addProbe(program);
addHosted(program);

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') {
    // Whoever reads along (head, less) has seen enough. A command that has to tidy up listens, and ends by itself.
    if (process.emit('SIGPIPE', 'SIGPIPE')) return;
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

/** Has a command and all below it take --hosted: whoever types it looks for no right place. */
function addHosted(command: Command): void {
  command.option('--hosted', 'work on the deployment that .env describes');
  for (const below of command.commands) addHosted(below);
}

/** Says what went wrong, where that was not said yet, and returns the exit status for it. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(error instanceof Error ? error.message : String(error));
  return error instanceof UsageError ? 2 : 1;
}
