import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';

const root = resolve(import.meta.dirname, '../..');

/** A step that prints the path of its file of values, and takes a moment to clean up. */
const step = {
  args: [
    '--eval',
    `process.on('SIGINT', () => setTimeout(() => { console.log('tidied up'); process.exit(0); }, 300));
    setInterval(() => {}, 1000);
    console.log('values in ' + process.argv.at(-1));`,
  ],
  environment: {},
  file: { SECRET: 'of-the-tests' },
};

it('a step stopped with Ctrl-C can clean up first, and its values are removed from disk', async () => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { runStep } from '${join(root, 'deploy/run-step.ts')}';
      const status = await runStep(${JSON.stringify(step)}, process.env, console.log);
      console.log('ended with ' + status);`,
    ],
    // Ctrl-C reaches every process of a terminal, so this signals the whole group.
    { detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  expect(await waitUntil(() => /values in .+\n/.test(output), 15_000)).toBe(true);
  const file = /values in (.+)/.exec(output)?.[1] ?? '';
  expect(readFileSync(file, 'utf8')).toContain('of-the-tests');
  process.kill(-child.pid!, 'SIGINT');
  await once(child, 'close');
  expect(output).toMatch(/tidied up\nended with 130\n$/);
  expect(existsSync(file)).toBe(false);
});
