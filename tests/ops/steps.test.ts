import { describe, expect, it } from 'vitest';
import {
  listVariables,
  readValues,
  readVariable,
  type Values,
  type VariableName,
} from '../../shared/variables.ts';
import { planDeployment } from '../../ops/deploy/steps.ts';
import { makeRedaction, readSurroundings } from '../../ops/values.ts';
import { completeValues } from './project.ts';

const findArguments = (name: string, changes: Record<string, string>) =>
  planDeployment({ ...completeValues, ...changes }).find((step) => step.name === name)?.args ?? [];

it('a deployment prints no secret value, even if one begins with another', () => {
  const secrets = listVariables('owner').filter((name) => readVariable(name).isSecret);
  expect(secrets.length).toBeGreaterThan(4);
  const values = Object.fromEntries(secrets.map((name, index) => [name, 'secret'.padEnd(7 + index, '-')]));
  const redact = makeRedaction({ ...values, PUBLIC_SITE_URL: 'https://stash.test' });
  for (const name of secrets) expect(redact(`before ${values[name]} after`)).toBe('before *** after');
  expect(redact('https://stash.test')).toBe('https://stash.test');
});

it('every key, token and password is a secret, unless pages contain it', () => {
  const names = listVariables('owner').filter((name) =>
    /^(?!PUBLIC_).*(KEY|TOKEN|SECRET|PASSWORD|DB_URL)/.test(name),
  );
  expect(names.length).toBeGreaterThan(6);
  expect(names.filter((name) => !readVariable(name).isSecret)).toEqual([]);
});

it('the programs of a deployment inherit none of its values, because each step names those that it needs', () => {
  expect(readSurroundings({ ...completeValues, PATH: '/usr/bin' })).toEqual({ PATH: '/usr/bin' });
});

it('a value has no space around it, and an empty one counts as missing', () => {
  const stored: Values = { TOKEN_SECRET: ' stored\n', SITE_URL: ' ', RESEND_BASE_URL: 'not the owner’s' };
  expect(readValues((name) => stored[name as VariableName], 'owner')).toEqual({ TOKEN_SECRET: 'stored' });
});

describe('the steps of a deployment', () => {
  it('begin with the build, which changes nothing live, with the values of pages and without the dev mode', () => {
    const [build] = planDeployment({ ...completeValues, PUBLIC_DEV_MODE: 'true' });
    const { PUBLIC_SITE_URL, PUBLIC_SUPABASE_URL, PUBLIC_SUPABASE_ANON_KEY } = completeValues;
    expect(build).toMatchObject({
      name: 'build',
      environment: {
        PUBLIC_SITE_URL,
        PUBLIC_SUPABASE_URL,
        PUBLIC_SUPABASE_ANON_KEY,
        PUBLIC_DEV_MODE: 'false',
      },
    });
    expect(Object.keys(build!.environment)).not.toContain('SUPABASE_SECRET_KEY');
  });

  it.each(['', '/'])('make the clock call the function if the URL of the project ends in %j', (end) => {
    const PUBLIC_SUPABASE_URL = completeValues.PUBLIC_SUPABASE_URL + end;
    expect(findArguments('clock', { PUBLIC_SUPABASE_URL }).at(-1)).toContain(
      `'${completeValues.PUBLIC_SUPABASE_URL}/functions/v1/resend-email', '${completeValues.PUBLIC_SUPABASE_ANON_KEY}'`,
    );
  });

  it.each([
    [{ PUBLIC_SITE_URL: 'https://waitlist.me.workers.dev' }, ['--name', 'waitlist']],
    [{ PUBLIC_SITE_URL: 'https://stash.test' }, ['--domain', 'stash.test']],
    [
      { SITE_URL: 'https://www.stash.test, https://stash.test, https://old.test' },
      ['--domain', 'stash.test', '--domain', 'www.stash.test', '--domain', 'old.test'],
    ],
  ])('attach every host of %o, because Cloudflare detaches the others', (changes, place) => {
    const args = findArguments('site', changes);
    expect(args.slice(args.findIndex((arg) => /^--(name|domain)$/.test(arg)))).toEqual(place);
  });

  it('give the functions a caller header that the owner has set, and look for none', () => {
    const steps = planDeployment({ ...completeValues, CALLER_HEADER: 'X-Caller' });
    expect(steps.find(({ name }) => name === 'secrets')?.environment).toMatchObject({
      CALLER_HEADER: 'X-Caller',
    });
    expect(steps.map(({ name }) => name)).not.toContain('caller');
  });
});
