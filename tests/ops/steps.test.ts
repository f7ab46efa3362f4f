import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRedaction, readSurroundings } from '../../ops/commands/deploy.ts';
import { planDeployment, runSteps, type Step } from '../../ops/deploy/steps.ts';
import { waitUntil } from '../../ops/stack/process.ts';
import { listVariables, readVariable } from '../../shared/variables.ts';
import { completeValues } from './project.ts';

const root = resolve(import.meta.dirname, '../..');
const findStep = (name: string, changes: Record<string, string> = {}) =>
  planDeployment({ ...completeValues, ...changes }).find((step) => step.name === name);

it('a deployment prints no secret value, even if one begins with another', () => {
  const secrets = listVariables('owner').filter((name) => readVariable(name).isSecret);
  const named = listVariables('owner').filter((name) =>
    /^(?!PUBLIC_).*(KEY|TOKEN|SECRET|PASSWORD|DB_URL)/.test(name),
  );
  expect(secrets).toEqual(named);
  const values = Object.fromEntries(secrets.map((name, index) => [name, 'secret'.padEnd(7 + index, '-')]));
  const redact = makeRedaction({ ...values, PUBLIC_SITE_URL: 'https://stash.test' });
  for (const name of secrets) expect(redact(`before ${values[name]} after`)).toBe('before *** after');
  expect(redact('https://stash.test')).toBe('https://stash.test');
});

describe('the steps of a deployment', () => {
  it('begin with the build, which changes nothing live, with the values of pages and without the dev mode', () => {
    const [build] = planDeployment({ ...completeValues, PUBLIC_DEV_MODE: 'true' });
    const { PUBLIC_SITE_URL } = completeValues;
    expect(build).toMatchObject({
      name: 'build',
      environment: { PUBLIC_SITE_URL, PUBLIC_DEV_MODE: 'false' },
    });
    expect(build!.environment).not.toHaveProperty('SUPABASE_SECRET_KEY');
  });

  it.each(['', '/'])('make the clock call the function if the URL of the project ends in %j', (end) => {
    const PUBLIC_SUPABASE_URL = completeValues.PUBLIC_SUPABASE_URL + end;
    expect(findStep('clock', { PUBLIC_SUPABASE_URL })?.args?.at(-1)).toContain(
      `'${completeValues.PUBLIC_SUPABASE_URL}/functions/v1/resend-email', '${completeValues.PUBLIC_SUPABASE_ANON_KEY}'`,
    );
  });

  it.each([
    [{ PUBLIC_SITE_URL: 'https://waitlist.me.workers.dev' }, ['--name', 'waitlist']],
    [{ PUBLIC_SITE_URL: 'https://stash.test' }, ['--name', 'stash-test', '--domain', 'stash.test']],
    [
      { SITE_URL: 'https://www.stash.test, https://stash.test, https://old.test' },
      [
        ...['--name', 'stash-test', '--domain', 'stash.test'],
        ...['--domain', 'www.stash.test', '--domain', 'old.test'],
      ],
    ],
  ])(
    'upload %o to a Worker of its own, with every host, because Cloudflare detaches the others',
    (changes, place) => {
      expect(findStep('site', changes)?.args?.slice(2)).toEqual(place);
    },
  );

  it('look for a caller header unless the owner has set one', () => {
    expect(findStep('caller')).toBeDefined();
    expect(findStep('caller', { CALLER_HEADER: 'X-Caller' })).toBeUndefined();
  });

  it('run in order until one fails, and each program gets only the values that it needs', async () => {
    const program = (name: string, code: string, environment = {}): Step => {
      return { name, purpose: `do ${name}`, args: ['--eval', code], environment };
    };
    const steps: Step[] = [
      program('first', `console.log(process.env.OWN, process.env.PATH ? 'PATH' : '')`, { OWN: 'mine' }),
      program(
        'second',
        `console.log('warning  here'); console.error('LOOK  there'); console.log('looked up')`,
      ),
      { name: 'third', purpose: 'do third', work: () => Promise.reject(new Error('out of order')) },
      program('fourth', ''),
    ];
    const lines: string[] = [];
    const surroundings = readSurroundings({ ...completeValues, PATH: process.env['PATH'] });
    expect(surroundings).toEqual({ PATH: process.env['PATH'] });
    const result = await runSteps(steps, surroundings, (line) => lines.push(line));
    expect(result).toEqual({ failed: steps[2], looks: 2 });
    expect(lines).toEqual(expect.arrayContaining(['1/4 first: do first', '    mine PATH']));
    expect(lines.slice(-2)).toEqual(['3/4 third: do third', '    out of order']);
  });

  it('can clean up after Ctrl-C', async () => {
    const slow = `process.on('SIGTERM', () => setTimeout(() => { console.log('tidied up'); process.exit(0); }, 300));
      process.on('SIGINT', () => {}); setInterval(() => {}, 1000); console.log('started');`;
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { runSteps } from '${join(root, 'ops/deploy/steps.ts')}';
        const step = ${JSON.stringify({ name: 'slow', purpose: '', args: ['--eval', slow] })};
        const { failed } = await runSteps([step, { name: 'next' }], process.env, console.log);
        console.log(failed.name + ' failed');`,
      ],
      // Ctrl-C reaches every process of a terminal, so this signals the whole group.
      { detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    expect(await waitUntil(() => output.includes('started'), 15_000)).toBe(true);
    process.kill(-child.pid!, 'SIGINT');
    await once(child, 'close');
    expect(output).toMatch(/tidied up\nslow failed\n$/);
  });
});
