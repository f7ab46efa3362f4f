import type { Finding } from './finding.ts';
import { probe } from './probe.ts';
import { readTarget } from './target.ts';

/**
 * Probes the deployment that the values describe, and prints a line for each finding, or one JSON array. Sets the exit status: 0,
 * or 1 if something failed. Throws an Error like `readTarget`.
 */
export async function runProbe(values: NodeJS.ProcessEnv, { json = false } = {}): Promise<void> {
  const target = readTarget(values);
  const stop = new AbortController();
  let status = 0;
  const end = (asked: number) => () => {
    status = asked;
    stop.abort(new Error('stopped'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end(130));
  // Nobody reads the output anymore. Exiting now would leave the sign-up behind.
  process.stdout.removeAllListeners('error').on('error', end(1));
  const findings: Finding[] = [];
  for await (const finding of probe(target, { stop: stop.signal })) {
    findings.push(finding);
    if (!json) console.log(format(finding));
  }
  if (json) console.log(JSON.stringify(findings, null, 2));
  process.exitCode = status || (findings.some((finding) => finding.status === 'failed') ? 1 : 0);
}

function format({ name, status, found, todo }: Finding): string {
  return `${status.padEnd(7)}  ${name.padEnd(13)}  ${found}${todo && `. ${todo}`}`;
}

if (import.meta.main)
  await runProbe(process.env).catch(({ message }: Error) => {
    console.error(message);
    process.exitCode = 2;
  });
