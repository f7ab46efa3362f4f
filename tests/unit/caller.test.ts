import { describe, expect, it } from 'vitest';
import { readCaller } from '../../functions/resend-email/caller.ts';

const read = (value: string) => readCaller(new Headers({ 'x-caller': value }), 'x-caller');

describe('the caller', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7:5678'],
    ['203.0.113.7', '[::FFFF:203.0.113.7]:443'],
    ['2001:db8:1::/48', '2001:db8:1:2:3:4:5:6'],
    ['2001:db8:1::/48', '[2001:0DB8:0001:2::1]:443'],
    ['2001:db8:1::/48', '2001:db8:1:2::1%eth0'],
    ['2001:db8:1::/48', '2001:db8:1:ffff::1'],
    ['2001:db8:0::/48', '2001:db8::1'],
  ])('is %s when the header is %s', (caller, value) => expect(read(value)).toBe(caller));

  it('is the address that the nearest proxy saw, not one that the caller put in front of it', () => {
    expect(read('198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
  });

  it.each(['unknown', '1.2.3.256', '1:2:3', '[::1', '203.0.113.7,', 'for=203.0.113.7'])(
    'is unknown when the header has no IP address: %s',
    (value) => expect(read(value)).toBeUndefined(),
  );

  it('is unknown without the header, or when no header is configured', () => {
    expect(readCaller(new Headers(), 'x-caller')).toBeUndefined();
    expect(readCaller(new Headers({ 'x-forwarded-for': '203.0.113.7' }), undefined)).toBeUndefined();
  });
});
