import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEmailAddress } from '../../functions/email-address.ts';

describe('an e-mail address', () => {
  it.each([
    ['name@example.com', 'name@example.com'],
    ['  Name@Example.COM \n', 'name@example.com'],
    ['first.last+tag@sub.example.co.uk', 'first.last+tag@sub.example.co.uk'],
    ["o'hara!#$%&*/=?^_`{|}~-@example.com", "o'hara!#$%&*/=?^_`{|}~-@example.com"],
    ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
    ['a@example.xn--p1ai', 'a@example.xn--p1ai'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('is read from %j', (typed, address) => {
    expect(parseEmailAddress(typed)).toBe(address);
  });

  it.each([
    '',
    'a@localhost',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    '@example.com',
    'a@',
    'a b@example.com',
    'a@example.com,b@example.com',
    'a@example.com;b@example.com',
    'a@example.com b@example.com',
    'Name <a@example.com>',
    'a@example.com\r\nBcc: b@example.com',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a@-example.com',
    'a@example-.com',
    'a@example..com',
    'a@example.c',
    'müller@example.com',
    'a@exämple.com',
    '\u212Aelvin@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
  ])('is not what %j is', (typed) => {
    expect(parseEmailAddress(typed)).toBeUndefined();
  });

  it.each([undefined, null, 7, {}, ['a@example.com'], true])('is never anything but text: %j', (value) => {
    expect(parseEmailAddress(value)).toBeUndefined();
  });

  it('stays as it is when it is read again', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (typed) => {
        const address = parseEmailAddress(typed);
        if (address !== undefined) expect(parseEmailAddress(address)).toBe(address);
      }),
    );
  });

  it('never holds a character that would end a header or start another recipient', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const address = parseEmailAddress(`${one}@${other}.com`);
        if (address !== undefined) expect(address).toMatch(/^[^\s,;<>"()\\[\]]+$/);
      }),
    );
  });
});
