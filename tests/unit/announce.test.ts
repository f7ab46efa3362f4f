import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { addAnnounce } from '../../owner/commands/announce.ts';
import type { Waitlist } from '../../owner/waitlist-client.ts';

vi.mock('../../owner/announcement.ts', () => ({ readAnnouncement: async () => ({ message: '{}' }) }));
vi.mock('node:timers/promises', () => ({
  setTimeout: async () => void vi.setSystemTime(Date.now() + 10_000),
}));
afterEach(() => vi.useRealTimers());

it('announce --to waits for the clock of a hosted project, which delivers every minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const delivery = Date.now() + 60_000;
  const call = vi.fn(async (procedure: string) =>
    procedure === 'find_test' ? [{ state: Date.now() < delivery ? 'waiting' : 'sent', problem: null }] : 'id',
  );
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const program = new Command();
  addAnnounce(program, () => ({ call }) as unknown as Waitlist);
  await program.parseAsync(['announce', 'news', '--to', 'me@example.com'], { from: 'user' });
  expect(log).toHaveBeenCalledWith('Sent to me@example.com: one test message. Nobody else got it.');
  expect(call).toHaveBeenLastCalledWith('forget_test', { id: 'id' });
});
