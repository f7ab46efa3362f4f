import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Finding } from '../probe/finding.ts';
import { optionalFindings, probe } from '../probe/probe.ts';
import { readTarget } from '../probe/target.ts';

interface Options {
  site?: string;
  wait: number;
  expect: (typeof optionalFindings)[number][];
  json?: boolean;
}

/** Adds the command that looks at a deployment from outside. */
export function addProbe(program: Command): void {
  program
    .command('probe')
    .description(
      'Look at a deployment from outside: its pages, and one sign-up on its whole way, which it removes again.',
    )
    .option('--site <url>', 'the site; without it PUBLIC_SITE_URL, or the site of the local stack')
    .option(
      '--wait <seconds>',
      'how long to wait for the welcome, and for the news of its delivery',
      parseSeconds,
      60,
    )
    .addOption(
      new Option(
        '--expect <finding...>',
        'what is switched on (CALLER_HEADER, the webhook): "not known" will not do',
      )
        .choices(optionalFindings)
        .default([]),
    )
    .option('--json', 'print a JSON array: name, ok, found and todo of each finding')
    .addHelpText(
      'after',
      `
Ends with 0 when all is well, with 1 when something is not, and with 2 when it was called wrongly.

Examples:
  npm run waitlist -- probe
  npm run --silent waitlist -- --hosted probe --json`,
    )
    .action(runProbe);
}

async function runProbe({ site, wait, expect, json }: Options): Promise<void> {
  const target = readTarget(site);
  const stop = new AbortController();
  let status = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGPIPE'] as const) {
    process.on(signal, () => {
      status = signal === 'SIGPIPE' ? 1 : 130;
      stop.abort(new Error('stopped'));
    });
  }
  const findings: Finding[] = [];
  for await (const finding of probe(target, { patience: wait * 1000, expected: expect, stop: stop.signal })) {
    findings.push(finding);
    if (!json) console.log(format(finding));
  }
  if (json) console.log(JSON.stringify(findings, null, 2));
  process.exitCode = status || (findings.every(({ ok }) => ok) ? 0 : 1);
}

function format({ name, ok, found, todo }: Finding): string {
  return `${ok ? 'ok    ' : 'failed'}  ${name.padEnd(13)}  ${found}${todo && `. ${todo}`}`;
}

/** @throws InvalidArgumentError for anything but a whole number of seconds up to an hour. */
function parseSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (!(seconds <= 3600)) throw new InvalidArgumentError('Give a whole number of seconds, at most 3600.');
  return seconds;
}
