import { expect, it } from 'vitest';
import { makeRedaction, readSurroundings } from '../../ops/commands/deploy.ts';
import { planDeployment, runSteps, type Step } from '../../ops/deploy/steps.ts';
import { listVariables, variables } from '../../shared/variables.ts';
import { completeValues } from './project.ts';

const findStep = (name: string, changes: Record<string, string> = {}) =>
  planDeployment({ ...completeValues, ...changes }).find((step) => step.name === name);

it('a deployment prints no secret value, even if one begins with another', () => {
  const secrets = listVariables('owner').filter((name) => variables[name].isSecret);
  const named = /^(?!PUBLIC_).*(KEY|TOKEN|SECRET|PASSWORD|DB_URL)/;
  expect(secrets).toEqual(listVariables('owner').filter((name) => named.test(name)));
  const values = Object.fromEntries(secrets.map((name, index) => [name, 'secret'.padEnd(7 + index, '-')]));
  const redact = makeRedaction({ ...values, PUBLIC_SITE_URL: 'https://stash.test' });
  for (const name of secrets) expect(redact(`${values[name]}, ${values[name]}`)).toBe('***, ***');
  expect(redact('https://stash.test')).toBe('https://stash.test');
  expect(makeRedaction({ TOKEN_SECRET: 'new, old' })('old or new')).toBe('*** or ***');
});

it('a deployment begins with the build, which changes nothing live, with the values of pages and without the dev mode', () => {
  const [build] = planDeployment({ ...completeValues, PUBLIC_DEV_MODE: 'true' });
  expect(build?.name).toBe('build');
  expect(build?.environment).toMatchObject({
    PUBLIC_SITE_URL: 'https://stash.test',
    PUBLIC_DEV_MODE: 'false',
  });
  expect(build?.environment).not.toHaveProperty('SUPABASE_SECRET_KEY');
});

it('a deployment uploads a site to a Worker of its own, under a name that Cloudflare accepts', () => {
  const place = (PUBLIC_SITE_URL: string) => findStep('site', { PUBLIC_SITE_URL })!.args!.slice(2);
  expect(place('https://waitlist.me.workers.dev')).toEqual(['--name', 'waitlist']);
  expect(place(`https://www.my-${'stash'.repeat(12)}.test`)[1]).toMatch(/^www-my--[a-z-]{1,55}$/);
});

it('a deployment does not look for a caller header if the owner has set one', () => {
  expect(findStep('caller', { CALLER_HEADER: 'X-Caller' })).toBeUndefined();
});

it('steps run until one fails or is stopped, and each program gets only the values that it needs', async () => {
  const code = `console.log(process.env.OWN, 'VITEST' in process.env)`;
  const steps: Step[] = [
    { name: 'first', purpose: 'print', args: ['--eval', code], environment: { OWN: 'mine' } },
    { name: 'second', purpose: 'fail', work: () => Promise.reject(new Error('out of order')) },
    { name: 'third', purpose: 'never run' },
  ];
  const lines: string[] = [];
  const surroundings = readSurroundings({ ...completeValues, PATH: process.env['PATH'] });
  expect(surroundings).toEqual({ PATH: process.env['PATH'] });
  expect(await runSteps(steps, surroundings, (line) => lines.push(line))).toBe(steps[1]);
  expect(lines).toEqual(['1/3 first: print', '    mine false', '2/3 second: fail', '    out of order']);
  const stopped: Step = { name: 'stopped', purpose: 'stop', work: async () => void process.emit('SIGHUP') };
  expect(await runSteps([stopped, steps[2]!], {}, () => {})).toBe(stopped);
});
