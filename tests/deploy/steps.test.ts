import { describe, expect, it } from 'vitest';
import { planDeployment } from '../../deploy/steps.ts';
import { completeValues } from './project.ts';

const findStep = (name: string, changes: Partial<typeof completeValues> & Record<string, string>) =>
  planDeployment({ ...completeValues, ...changes }).find((step) => step.name === name);

describe('the steps of a deployment', () => {
  it.each([
    ['https://waitlist.me.workers.dev', ['--name', 'waitlist']],
    ['https://stash.test', ['--domain', 'stash.test']],
  ])('put the site of %s there', (PUBLIC_SITE_URL, place) => {
    expect(findStep('site', { PUBLIC_SITE_URL })?.args.slice(-2)).toEqual(place);
  });

  it('take no secret back as long as all are given', () => {
    const all = { CALLER_HEADER: 'X-Caller', RESEND_WEBHOOK_SECRET: 'whsec_of_the_tests' };
    expect(findStep('unset', all)).toBeUndefined();
    expect(findStep('unset', { CALLER_HEADER: 'X-Caller' })?.args).toContain('RESEND_WEBHOOK_SECRET');
    expect(findStep('unset', { CALLER_HEADER: 'X-Caller' })?.args).not.toContain('CALLER_HEADER');
  });
});
