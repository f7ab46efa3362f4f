import { describe, expect, it } from 'vitest';
import { formatDuration, formatWait } from '../../ops/output.ts';

describe('a duration', () => {
  it.each([
    [0.5, '1 minute'],
    [61, '2 minutes'],
    [119 * 60, '119 minutes'],
    [119 * 60 + 1, '2 hours'],
    [47 * 3600, '47 hours'],
    [47 * 3600 + 1, '2 days'],
  ])('of %d seconds is rounded up: %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

it.each([
  [{}, 'about 2 minutes at 2 a second'],
  [{ paused_until: '2099-01-01T00:00:00.5Z' }, 'paused until 2099-01-01T00:00:00Z'],
  [
    { paused_until: '2099-01-01T00:00:00.5Z', problem: 'TimeoutError' },
    'paused until 2099-01-01T00:00:00Z: TimeoutError',
  ],
  [{ brake: '60 of 60 bounced' }, 'about 3 hours at one a minute: the brake is on'],
])('a wait that is held up by %o is %s', (held, text) => {
  const free = { per_second: 2, paused_until: null, problem: null, brake: null, ahead: 121 };
  expect(formatWait({ ...free, ...held })).toBe(text);
});

it('announcements wait for the welcomes, but not under the brake', () => {
  const delivery = { per_second: 2, paused_until: null, problem: null, ahead: 240 };
  expect(formatWait({ ...delivery, brake: null }, 120)).toBe('about 3 minutes at 2 a second');
  expect(formatWait({ ...delivery, brake: '60 of 60 bounced' }, 120)).toBe('about 1 minute at 2 a second');
});
