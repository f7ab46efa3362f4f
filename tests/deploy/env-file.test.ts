import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { findLineFault, findMisread, readEnvFile, readEnvText, writeEnvFile } from '../../deploy/env-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'waitlist-env-'));
const file = join(folder, '.env');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('an environment file returns every value that was written, and only its owner can read it', () => {
  const value = fc.string({ unit: fc.constantFrom(...`ab 1#=$"'\\\`{}<>@é\n`) }).map((text) => text.trim());
  fc.assert(
    fc.property(value, value, (one, other) => {
      fc.pre([one, other].every((text) => !findLineFault('ONE', text)));
      writeEnvFile(file, { ONE: one, OTHER: other });
      expect(readEnvFile(file)).toEqual({ ONE: one, OTHER: other });
      expect(findMisread(readEnvText(file), ['ONE', 'OTHER'])).toEqual([]);
    }),
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each([
  ['ONE=a#b', true],
  ["ONE='it's'", true],
  ['ONE="a\nb"', true],
  ["ONE='old'\nONE=a#b", true],
  ['ONE=it\'s "so"', false],
  [" export ONE = 'a#b' \r\nTWO=a#b", false],
  ['ONE=a#b\nONE="new"', false],
  ['', false],
])('a value that is not read as it was typed is reported: %j is %s', (text, isMisread) => {
  expect(findMisread(text, ['ONE']).map(({ variable }) => variable)).toEqual(isMisread ? ['ONE'] : []);
});
