import { describe, expect, it } from 'vitest';
import { parseEnd, parseStart } from '../../owner/arguments.ts';

describe('a span of time', () => {
  it('includes its whole first and last day', () => {
    expect(parseStart('2026-11-21')).toBe('2026-11-21T00:00:00Z');
    expect(parseEnd('2026-12-31')).toBe('2027-01-01T00:00:00.000Z');
    expect(parseEnd('2028-02-28')).toBe('2028-02-29T00:00:00.000Z');
  });

  it('may start and end at a time of day', () => {
    expect(parseStart('2026-11-21T18:30:00Z')).toBe('2026-11-21T18:30:00Z');
    expect(parseEnd('2026-11-21T18:30:00.1234Z')).toBe('2026-11-21T18:30:00.1234Z');
  });

  it.each([
    '',
    'yesterday',
    '2026-11-31',
    '2026-13-01',
    '26-11-21',
    '2026-11-21T24:00:00Z',
    '2026-11-21T18:30:00',
    '2026-11-21T18:30:00+01:00',
    '2026-02-29T00:00:00Z',
  ])('refuses %j as its start', (text) => {
    expect(() => parseStart(text)).toThrow(/Write a day as 2026-11-21, or a time in UTC/);
  });
});
