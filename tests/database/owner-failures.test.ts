import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { owner } from './command-line.ts';
import { addMembers, change } from './sign-ups.ts';

it('what others wrote cannot drive the terminal', async () => {
  await addMembers(['a@example.com'], { state: 'refused' });
  const problem = 'Stop\u001b]0;title\u0007\u009b2J\u202e';
  await change('a@example.com', { last_problem: problem });
  const { stdout } = await owner.run(['outbox', '--json']);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u);
  expect(JSON.parse(stdout)).toMatchObject([{ problem }]);
  const { stderr } = await owner.run(['show', `${problem}@example.com`]);
  expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u);
});

it('every command has help with examples', async () => {
  const { stdout, status } = await owner.run(['help']);
  expect(status).toBe(0);
  const listed = stdout.split('Commands:\n')[1]!.split('\n\n')[0]!;
  const commands = [...listed.matchAll(/^ {2}([a-z][a-z-]*) .*$/gm)].map(([, name]) => name!);
  expect(commands).toEqual(expect.arrayContaining(['summary', 'show', 'announce', 'restore', 'probe']));
  for (const command of commands.filter((name) => !['deploy', 'help'].includes(name))) {
    const help = await owner.run(['help', command]);
    expect(help.stdout, command).toMatch(/Examples:\n {2}\.\/waitlist/);
    expect(help.stdout, command).toContain('--json');
  }
  expect(await owner.run(['deploy', '--json', '--dry-run']), '--json').toMatchObject({ status: 2 });
});

it.runIf(existsSync('/dev/full'))('an export fails when it is cut off, as on a full disk', async () => {
  const full = openSync('/dev/full', 'w');
  const child = owner.spawn(['export'], ['ignore', full, 'pipe']);
  const stderr = child.stderr!.toArray();
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(Buffer.concat(await stderr).toString()).toContain('ENOSPC');
  closeSync(full);
});
