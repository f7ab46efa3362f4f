import { expect, it } from 'vitest';
import { findMisread } from '../../deploy/env-file.ts';

it.each([
  ['ONE=a#b', true],
  ["ONE='it's'", true],
  ['ONE="a\nb"', true],
  ["ONE='old'\nONE=a#b", true],
  ['ONE=$b', true],
  ['ONE="it\'s $b"', true],
  ["ONE='$b'", false],
  ['ONE="it\'s"', false],
  [" export ONE = 'a#b' \r\nTWO=a#b", false],
  ['ONE=a#b\nONE="new"', false],
  ['', false],
])('a value that is not read as it was typed is reported: %j is %s', (text, isMisread) => {
  expect(findMisread(text, ['ONE']).map(({ variable }) => variable)).toEqual(isMisread ? ['ONE'] : []);
});
