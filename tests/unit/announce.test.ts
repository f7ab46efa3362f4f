import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { addAnnounce } from '../../ops/commands/announce.ts';
import type { Waitlist } from '../../ops/waitlist-client.ts';

vi.mock('../../ops/announcement.ts', () => ({ readAnnouncement: async () => ({ message: '{}' }) }));
vi.mock('node:timers/promises', () => ({
  setTimeout: async () => void vi.setSystemTime(Date.now() + 10_000),
}));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Runs `announce news` with options on a project that answers calls in this way. Resolves to what it printed and threw. */
async function announce(
  call: (procedure: string) => Promise<unknown>,
  ...options: string[]
): Promise<string[]> {
  vi.useFakeTimers({ toFake: ['Date'] });
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((printed += text)));
  const program = new Command();
  addAnnounce(program, () => ({ call }) as unknown as Waitlist);
  await program
    .parseAsync(['announce', 'news', ...options], { from: 'user' })
    .catch(({ message }: Error) => void (printed += message));
  return printed.trimEnd().split('\n');
}

it.each([
  ['waits for the clock of a hosted project, which delivers every minute', 60_000, 'Sent to me@example.com'],
  ['gives up when no delivery starts', Infinity, 'Not sent to me@example.com: no delivery has started.'],
  ['says why it was refused', 0, 'Not sent to me@example.com: Resend answered 422.'],
])('announce --to %s, and leaves nothing behind', async (_, delay, said) => {
  const start = Date.now();
  const call = vi.fn(async (procedure: string) =>
    procedure === 'find_test'
      ? delay === 0
        ? [{ state: 'refused', problem: 'Resend answered 422' }]
        : [{ state: Date.now() < start + delay ? 'waiting' : 'sent', problem: null }]
      : 'id',
  );
  expect(await announce(call, '--to', 'me@example.com')).toEqual([expect.stringContaining(said)]);
  expect(call).toHaveBeenLastCalledWith('forget_test', { id: 'id' });
});

const news = { sent: 7, waiting: 0, refused: 0, unknown: 0, bounced: 0, complained: 0, is_stopped: true };
const summary = (changes: object) => async () => [{ announcements: [{ name: 'news', ...news, ...changes }] }];

it.each([
  [{ refused: 1 }, 1],
  [{ unknown: 1 }, 1],
  [{ bounced: 1, complained: 1 }, 0],
])(
  'announce --watch says what to do about messages that failed, and only then: %o',
  async (counts, advised) => {
    const printed = await announce(summary(counts), '--watch');
    expect(printed.filter((line) => line.startsWith('"outbox" says why'))).toHaveLength(advised);
    const { bounced, complained } = { ...news, ...counts };
    expect(printed.at(-1)).toBe(`${bounced} bounced and ${complained} complained so far.`);
  },
);

it('announce --watch prints a line only when something has changed', async () => {
  const waiting = [2, 2, 2, 1, 1, 0];
  const printed = await announce(() => summary({ waiting: waiting.shift() })(), '--watch');
  expect(printed.map((line) => /\d waiting/.exec(line)?.[0])).toEqual([
    '2 waiting',
    '1 waiting',
    '0 waiting',
    undefined,
  ]);
});
