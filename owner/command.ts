import type { Command } from 'commander';

/** The options that many commands have. */
export interface Options {
  json?: true;
  yes?: true;
}

/** Describes a command in its help, with what to type after `npm run waitlist --` as examples. Adds the options that all commands have. */
export function describe(command: Command, description: string, examples: string[], notes = ''): Command {
  const lines = examples.map((example) => {
    // npm prints lines of its own, which a program cannot read.
    const silent = /--json|\|/.test(example) ? '--silent ' : '';
    return `  npm run ${silent}waitlist ${example && `-- ${example}`}`.trimEnd();
  });
  return command
    .description(description)
    .option('--hosted', 'work on the deployment in .env')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `${notes && `\n${notes}\n`}\nExamples:\n${lines.join('\n')}`);
}
