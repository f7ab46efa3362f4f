import { afterEach, expect, it } from 'vitest';
import { type Part, type ProcessIdentity, waitUntil } from '../../local/process.ts';
import { Supervisor } from '../../local/supervisor.ts';

let running: Record<string, ProcessIdentity> = {};
const supervisor = new Supervisor((parts) => (running = parts));

afterEach(() => supervisor.stopAll());

it('a part that cannot restart at once is retried until it can', async () => {
  let starts = 0;
  const part: Part = {
    name: 'part',
    get args() {
      starts++;
      return ['-e', starts === 2 || starts === 3 ? '' : 'setInterval(() => {}, 1000)'];
    },
    isReady: async () => true,
  };
  await supervisor.start(part);
  process.kill(running['part']!.pid, 'SIGKILL');
  expect(await waitUntil(() => starts === 4, 30_000)).toBe(true);
  expect(await waitUntil(() => 'part' in running, 5_000)).toBe(true);
});
