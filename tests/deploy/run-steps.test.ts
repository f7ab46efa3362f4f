import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runSteps } from '../../deploy/run-steps.ts';
import type { Step } from '../../deploy/steps.ts';
import { waitUntil } from '../../local/process.ts';

const root = resolve(import.meta.dirname, '../..');
const makeStep = (name: string, code: string, more: Partial<Step> = {}): Step => {
  return { name, purpose: `do ${name}`, args: ['--eval', code], environment: {}, ...more };
};

it('steps run in order, each with its own environment and file, until one fails', async () => {
  const lines: string[] = [];
  const read = `console.log(process.env.OWN, require('fs').readFileSync(process.argv.at(-1), 'utf8').trim())`;
  const steps = [
    makeStep('first', read, { environment: { OWN: 'mine' }, file: { SECRET: 'of-the-tests' } }),
    makeStep(
      'second',
      `console.log('warning  callers'); console.error('LOOK  here'); console.log('looked up', process.env.OWN)`,
    ),
    makeStep('third', 'process.exit(3)'),
    makeStep('fourth', ''),
  ];
  const result = await runSteps(steps, { PATH: process.env['PATH'] }, (line) => lines.push(line));
  expect(result).toEqual({ failed: steps[2], status: 3, looks: 2 });
  expect(lines).toEqual(
    expect.arrayContaining([
      '1/4 first: do first',
      '    mine SECRET=of-the-tests',
      '    looked up undefined',
    ]),
  );
  expect(lines.at(-1)).toBe('3/4 third: do third');
});

it('a step stopped with Ctrl-C can clean up first, and its values are removed from disk', async () => {
  const step = makeStep(
    'slow',
    `process.on('SIGINT', () => setTimeout(() => { console.log('tidied up'); process.exit(0); }, 300));
    setInterval(() => {}, 1000);
    console.log('values in ' + process.argv.at(-1));`,
    { file: { SECRET: 'of-the-tests' } },
  );
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { runSteps } from '${join(root, 'deploy/run-steps.ts')}';
      const { status } = await runSteps([${JSON.stringify(step)}], process.env, console.log);
      console.log('ended with ' + status);`,
    ],
    // Ctrl-C reaches every process of a terminal, so this signals the whole group.
    { detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  expect(await waitUntil(() => /values in .+\n/.test(output), 15_000)).toBe(true);
  const file = /values in (.+)/.exec(output)?.[1] ?? '';
  expect(readFileSync(file, 'utf8')).toContain('of-the-tests');
  process.kill(-child.pid!, 'SIGINT');
  await once(child, 'close');
  expect(output).toMatch(/tidied up\nended with 130\n$/);
  expect(existsSync(file)).toBe(false);
});
