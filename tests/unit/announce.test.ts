import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { addAnnounce } from '../../owner/commands/announce.ts';
import type { Waitlist } from '../../owner/waitlist-client.ts';

vi.mock('../../owner/announcement.ts', () => ({ readAnnouncement: async () => ({ message: '{}' }) }));
vi.mock('node:timers/promises', () => ({
  setTimeout: async () => void vi.setSystemTime(Date.now() + 10_000),
}));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  process.exitCode = 0;
});

/** Runs `announce news` with an option on a project that answers calls in this way. Returns the printed lines. */
async function announce(
  call: (procedure: string) => Promise<unknown>,
  ...option: string[]
): Promise<string[]> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const printed: string[] = [];
  for (const name of ['log', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((text: string) => void printed.push(text));
  const program = new Command();
  addAnnounce(program, () => ({ call }) as unknown as Waitlist);
  await program.parseAsync(['announce', 'news', ...option], { from: 'user' });
  return printed;
}

/** Runs `announce news --to me@example.com` on a project that delivers the test after some milliseconds. */
async function sendTest(delay: number): Promise<string[]> {
  const start = Date.now();
  const call = vi.fn(async (procedure: string) =>
    procedure === 'find_test'
      ? [{ state: Date.now() < start + delay ? 'waiting' : 'sent', problem: null }]
      : 'id',
  );
  const printed = await announce(call, '--to', 'me@example.com');
  expect(call).toHaveBeenLastCalledWith('forget_test', { id: 'id' });
  return printed;
}

it('announce --to waits for the clock of a hosted project, which delivers every minute', async () => {
  expect(await sendTest(60_000)).toEqual(['Sent to me@example.com: one test message. Nobody else got it.']);
});

it('announce --to gives up when no delivery starts, and sends nothing later', async () => {
  expect(await sendTest(Infinity)).toEqual([
    'Not sent to me@example.com: no delivery has started. It will not be sent later.',
  ]);
  expect(process.exitCode).toBe(1);
});

it.each([
  [{ refused: 1 }, 1],
  [{ unknown: 1 }, 1],
  [{ bounced: 1, complained: 1 }, 0],
])(
  'announce --watch says what to do about messages that failed, and only then: %o',
  async (counts, advised) => {
    const none = {
      sent: 7,
      waiting: 0,
      refused: 0,
      unknown: 0,
      bounced: 0,
      complained: 0,
      is_stopped: false,
    };
    const printed = await announce(async () => [{ ...none, ...counts }], '--watch');
    expect(printed.filter((line) => line.startsWith('"outbox" says why'))).toHaveLength(advised);
  },
);

it('announce --watch prints a line only when something has changed', async () => {
  const waiting = [2, 2, 2, 1, 1, 0];
  const none = { refused: 0, unknown: 0, bounced: 0, complained: 0, is_stopped: true };
  const printed = await announce(async () => [{ ...none, sent: 7, waiting: waiting.shift() }], '--watch');
  expect(printed.slice(0, -1)).toEqual([
    '7 sent, 2 waiting, 0 failed, stopped',
    '7 sent, 1 waiting, 0 failed, stopped',
    '7 sent, 0 waiting, 0 failed',
  ]);
});
