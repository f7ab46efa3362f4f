import { note } from './output.ts';
import { run } from './program.ts';

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader (head, less) has seen enough.
  if (code === 'EPIPE') process.exit(0);
  note(`The output cannot be written (${code}).`);
  process.exit(1);
});

// A probe has set an exit status of its own.
process.exitCode = (await run(process.argv.slice(2))) || process.exitCode;
