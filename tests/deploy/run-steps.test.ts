import { expect, it } from 'vitest';
import { runSteps } from '../../deploy/run-steps.ts';
import type { Step } from '../../deploy/steps.ts';

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
