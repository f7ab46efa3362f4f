import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { findLineFault, readEnvFile, writeEnvFile } from '../../deploy/env-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'waitlist-env-'));
const file = join(folder, '.env');
beforeEach(() => rmSync(file, { force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an environment file', () => {
  it('returns every value that was written', () => {
    const value = fc.string({ unit: fc.constantFrom(...`ab 1#=$"'\\\`{}<>@é`) }).map((text) => text.trim());
    fc.assert(
      fc.property(value, value, (one, other) => {
        fc.pre([one, other].every((text) => !/'.*["\\$`]|["\\$`].*'/.test(text)));
        writeEnvFile(file, { ONE: one, OTHER: other });
        expect(readEnvFile(file)).toEqual({ ONE: one, OTHER: other });
      }),
    );
  });

  it('has a fault for a value with a line break', () => {
    expect(findLineFault('NAME', 'two\nlines')?.hint).toBe('it contains a line break. Remove it');
    expect(findLineFault('NAME', 'one line')).toBeUndefined();
  });

  it('keeps comments and other lines where they are', () => {
    // Of two lines for one value, programs read the last.
    writeFileSync(file, '# a comment\nNAME=older\nMINE=1\nexport NAME=old\n\nONE_NAME=2\n');
    writeEnvFile(file, { NAME: 'new', ADDED: 'a b' });
    expect(readFileSync(file, 'utf8')).toBe(
      "# a comment\nNAME=older\nMINE=1\nNAME=new\n\nONE_NAME=2\nADDED='a b'\n",
    );
  });

  it('can be read only by its owner, even if others could read it before', () => {
    writeFileSync(file, 'NAME=old\n', { mode: 0o644 });
    writeEnvFile(file, { NAME: 'new' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
