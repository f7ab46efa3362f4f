import { describe, expect, it } from 'vitest';
import { readCaller, readMailbox } from '../../functions/resend-email/caller.ts';

const read = (value: string) => readCaller(new Headers({ 'x-caller': value }), 'x-caller');

describe('the caller', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['[2001:DB8::1]', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (value, caller) => expect(read(value)).toBe(caller));

  it('is what the nearest proxy saw, not what the caller wrote in front', () => {
    expect(read('198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
  });

  it('is nobody without the header, or when none is configured', () => {
    expect(readCaller(new Headers(), 'x-caller')).toBeUndefined();
    expect(readCaller(new Headers({ 'x-forwarded-for': '203.0.113.7' }), undefined)).toBeUndefined();
  });
});

describe('the mailbox', () => {
  it.each(['name@example.com', 'name+tag@example.com', 'n.a.me@example.com', 'n.ame+a+b@example.com'])(
    'of %s is one',
    (address) => expect(readMailbox(address)).toBe('name@example.com'),
  );

  it('of each test address of Resend is its own, so that nobody can use up the limit of a probe', () => {
    for (const address of [
      'delivered+probe-1@resend.dev',
      'delivered+2@resend.dev',
      'delivered@resend.dev',
    ]) {
      expect(readMailbox(address)).toBe(address);
    }
    expect(readMailbox('name+tag@resend.dev.example.com')).toBe('name@resend.dev.example.com');
  });
});
