import { describe, expect, it } from 'vitest';
import { isSender, parseEmailAddress, quoteName, writePattern } from '../../shared/email-address.ts';

/** Whether a browser accepts an address (https://html.spec.whatwg.org/#the-pattern-attribute). Firefox does not trim first. */
const isAccepted = (typed: string) => new RegExp(`^(?:${writePattern()})$`, 'v').test(typed);

describe('an email address', () => {
  it.each([
    ['  Name@Example.COM \n', 'name@example.com'],
    ['name@example.com\u200b\u200b', 'name@example.com'],
    ["o'hara!#$%&*/=?^_`{|}~-@example.com", "o'hara!#$%&*/=?^_`{|}~-@example.com"],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    ['Info@Müller.example', 'info@xn--mller-kva.example'],
    ['info@www.пример.рф', 'info@www.xn--e1afmkfd.xn--p1ai'],
  ])('is read from %j, and accepted by a browser', (typed, email) => {
    expect(isAccepted(typed)).toBe(true);
    expect(parseEmailAddress(typed)).toBe(email);
    expect(parseEmailAddress(email)).toBe(email);
  });

  it.each([
    '',
    'a@localhost',
    '@example.com',
    'a@example.com,b@example.com',
    'Name <a@example.com>',
    'a..b@example.com',
    'a@-example.com',
    'a@example..com',
    'a@example.c',
    'a@example.com1',
    '.a@example.com',
    '\u212Aelvin@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
    'a@ü\u200b.example',
    'a@ｅxample.com',
    undefined,
    ['a@example.com'],
  ])('is not read from %j, and refused by a browser', (typed) => {
    expect(parseEmailAddress(typed)).toBeUndefined();
    if (typeof typed === 'string') expect(isAccepted(typed)).toBe(false);
  });

  // The URL parser accepts all of them.
  it.each([
    'a@ü.example:80',
    'a@b@ü.example',
    'a@ü。example',
    'a@㏂.example',
    'name@\u212Aelvin.example.com',
    'a@ü.example.',
    'a@ü-.example',
  ])('at an international domain is not read from %j', (typed) => {
    expect(parseEmailAddress(typed)).toBeUndefined();
  });

  it('never contains a character that would end a header or start another recipient', () => {
    for (let code = 0; code < 0x3000; code++) {
      const sign = String.fromCharCode(code);
      for (const typed of [`na${sign}me@example.com`, `name@exam${sign}ple.com`, `${sign}name@example.com`]) {
        const email = parseEmailAddress(typed);
        if (email !== undefined) expect(email).toMatch(/^[a-z0-9.@!#$%&'*+/=?^_`{|}~-]+$/);
      }
    }
  });
});

it.each([
  ['The Yard <hello@yard.example>', 'The Yard <hello@yard.example>'],
  ['Yard, Inc. <hello@yard.example>', '"Yard, Inc." <hello@yard.example>'],
  ['hello@x via Yard [EU] <hello@yard.example>', '"hello@x via Yard [EU]" <hello@yard.example>'],
  ['"Yard, Inc." <hello@yard.example>', '"Yard, Inc." <hello@yard.example>'],
  ['Yard "Crew" <hello@yard.example>', String.raw`"Yard \"Crew\"" <hello@yard.example>`],
])('reaches the provider as one sender: %s', (sender, quoted) => {
  expect(isSender(sender)).toBe(true);
  expect(quoteName(sender)).toBe(quoted);
});
