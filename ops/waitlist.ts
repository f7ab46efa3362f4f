import { note } from './output.ts';
import { run } from './program.ts';

// A command goes on without its output, because a probe has to remove what it created.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader (head, less) has seen enough.
  if (code === 'EPIPE') return;
  note(`The output cannot be written (${code}).`);
  process.exitCode = 1;
});

// A probe has set an exit status of its own.
process.exitCode = (await run(process.argv.slice(2))) || process.exitCode;
