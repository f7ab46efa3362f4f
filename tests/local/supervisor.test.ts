import { afterEach, expect, it, vi } from 'vitest';
import { type Part, type ProcessIdentity, waitUntil } from '../../local/process.ts';
import { Supervisor } from '../../local/supervisor.ts';

const part: Part = {
  name: 'part',
  command: process.execPath,
  args: ['-e', 'setInterval(() => {}, 1000)'],
  isReady: async () => true,
};
let running: Record<string, ProcessIdentity> = {};
let supervisor: Supervisor;

async function start(first: Part = part): Promise<void> {
  supervisor = new Supervisor({ onChange: (parts) => (running = parts), onLine: () => {} });
  await supervisor.start(first);
}

/** Kills the part, and waits until it runs again or the supervisor has given up. */
async function kill(): Promise<'restarted' | 'given up'> {
  const { pid } = running['part']!;
  process.kill(pid, 'SIGKILL');
  const isBack = waitUntil(() => (running['part']?.pid ?? pid) !== pid, 30_000);
  return Promise.race([
    isBack.then(() => 'restarted' as const),
    supervisor.failure.catch(() => 'given up' as const),
  ]);
}

afterEach(async () => {
  vi.useRealTimers();
  await supervisor.stopAll();
});

it('a part that keeps ending is given up after ten restarts within a minute', async () => {
  await start();
  for (let restart = 0; restart < 10; restart++) expect(await kill()).toBe('restarted');
  expect(await kill()).toBe('given up');
});

it('a part that ends now and then is always restarted', async () => {
  await start();
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let restart = 0; restart < 11; restart++) {
    expect(await kill()).toBe('restarted');
    vi.setSystemTime(Date.now() + 7_000);
  }
});

it('a part that cannot start again at once is tried again', async () => {
  let starts = 0;
  await start({
    ...part,
    get args() {
      return ++starts === 2 ? ['-e', ''] : part.args;
    },
    isReady: async () => starts !== 2,
  });
  expect(await kill()).toBe('restarted');
  expect(await waitUntil(() => starts === 3, 30_000)).toBe(true);
});
