import { describe, expect, it } from 'vitest';
import { planDeployment } from '../../deploy/steps.ts';
import { completeValues } from './project.ts';

const findArguments = (name: string, changes: Record<string, string>) =>
  planDeployment({ ...completeValues, ...changes }).find((step) => step.name === name)?.args ?? [];

describe('the steps of a deployment', () => {
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

  it('remove the optional secrets that are not set, and no others', () => {
    const all = { CALLER_HEADER: 'X-Caller', RESEND_WEBHOOK_SECRET: 'whsec_of_the_tests' };
    expect(findArguments('unset', {}).slice(2)).toEqual(['CALLER_HEADER', 'RESEND_WEBHOOK_SECRET']);
    expect(findArguments('unset', { CALLER_HEADER: 'X-Caller' }).slice(2)).toEqual(['RESEND_WEBHOOK_SECRET']);
    expect(findArguments('unset', all).slice(2)).toEqual([]);
  });
});
