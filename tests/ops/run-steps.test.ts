import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runSteps } from '../../ops/deploy/run-steps.ts';
import type { Step } from '../../ops/deploy/steps.ts';
import { waitUntil } from '../../ops/stack/process.ts';

const root = resolve(import.meta.dirname, '../..');
const makeStep = (name: string, code: string, environment = {}): Step => {
  return { name, purpose: `do ${name}`, args: ['--eval', code], environment };
};

it('steps run in order, each with its own environment, until one fails', async () => {
  const lines: string[] = [];
  const steps = [
    makeStep('first', `console.log(process.env.OWN)`, { OWN: 'mine' }),
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
    expect.arrayContaining(['1/4 first: do first', '    mine', '    looked up undefined']),
  );
  expect(lines.at(-1)).toBe('3/4 third: do third');
});

it('a step stopped with Ctrl-C can clean up first', async () => {
  const step = makeStep(
    'slow',
    `process.on('SIGINT', () => setTimeout(() => { console.log('tidied up'); process.exit(0); }, 300));
    setInterval(() => {}, 1000);
    console.log('started');`,
  );
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { runSteps } from '${join(root, 'ops/deploy/run-steps.ts')}';
      const { status } = await runSteps([${JSON.stringify(step)}], process.env, console.log);
      console.log('ended with ' + status);`,
    ],
    // Ctrl-C reaches every process of a terminal, so this signals the whole group.
    { detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  expect(await waitUntil(() => output.includes('started'), 15_000)).toBe(true);
  process.kill(-child.pid!, 'SIGINT');
  await once(child, 'close');
  expect(output).toMatch(/tidied up\nended with 130\n$/);
});
