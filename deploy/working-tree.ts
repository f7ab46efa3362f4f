import { spawnSync } from 'node:child_process';
import { root } from './values.ts';

const SHOWN = 3; // names in one line

/** Lists the uncommitted changes in one line; `undefined` when there are none, or outside of a Git repository. */
export function describeUncommitted(): string | undefined {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain', '--', '.'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0 || stdout === '') return undefined;
  const names = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(3));
  const more = names.length - SHOWN;
  const list = [...names.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `Uncommitted changes: ${list}. They go live too, until GitHub deploys the next commit without them.`;
}
