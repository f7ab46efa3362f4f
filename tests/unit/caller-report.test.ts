import { describe, expect, it, vi } from 'vitest';
import { asksForCaller, reportCaller } from '../../functions/resend-email/caller-report.ts';

const settings = {
  siteOrigins: ['https://waitlist.example'],
  secretKeys: ['sb_secret_one', 'sb_secret_two'],
  callerHeader: 'CF-Connecting-IP',
};
const url = 'https://abc.supabase.co/functions/v1/resend-email/caller';
const ask = (apikey: string, headers: Record<string, string> = {}) =>
  new Request(url, { method: 'POST', headers: { ...headers, apikey } });

describe('the report of who is calling', () => {
  it('contains the caller in each header with an IP address, as the function reads it, and writes nothing to the log', async () => {
    const log = vi.spyOn(console, 'error');
    const request = ask('sb_secret_two', {
      'CF-Connecting-IP': '2001:db8:1:2:3::4',
      'X-Forwarded-For': '203.0.113.7, 192.0.2.9',
      'X-Real-IP': 'unknown',
      Host: '127.0.0.1:54321',
    });
    const callers = { 'cf-connecting-ip': '2001:db8:1:2::/64', 'x-forwarded-for': '192.0.2.9' };
    const response = reportCaller(request, settings);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ header: 'cf-connecting-ip', callers });
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  it.each(['', 'sb_publishable_one', 'sb_secret_three'])('is refused with the key %j', async (key) => {
    const response = reportCaller(ask(key, { 'X-Real-IP': '192.0.2.9' }), settings);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain('192.0.2.9');
  });

  it('is asked for at its own path only', () => {
    expect(asksForCaller(ask('any'))).toBe(true);
    expect(asksForCaller(new Request(url.replace('/caller', ''), { method: 'POST' }))).toBe(false);
    expect(asksForCaller(new Request(url))).toBe(false);
  });
});
