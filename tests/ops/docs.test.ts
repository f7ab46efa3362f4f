import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = ['README.md', ...globSync('docs/*.md', { cwd: root })];

it.each(files)('%s names only scripts and files that exist', (file) => {
  const text = read(file);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
  for (const [, name = ''] of text.matchAll(/npm run (?!--)([\w:]+)/g))
    expect(Object.keys(scripts)).toContain(name);
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, path = '']) => path);
  // A path from the root, but no example and nothing that a command makes.
  const paths = code.filter((path) =>
    /^(ops|src|shared|functions|supabase|tests|docs|\.github)\/[\w./-]+$/.test(path),
  );
  for (const path of paths) expect(existsSync(join(root, path)), path).toBe(true);
});

it('a clone as README makes it can be pushed as docs/deploy.md says, into a new repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-first-push-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const inFolder = (name: string) => join(folder, name);
  const [origin, clone, mine] = [inFolder('origin'), inFolder('clone'), inFolder('mine')];
  const identity = { GIT_AUTHOR_NAME: 'Jo', GIT_COMMITTER_NAME: 'Jo', EMAIL: 'jo@example.org' };
  const env = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (cwd: string, command: string) =>
    execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  mkdirSync(origin);
  git(origin, 'git init --quiet --initial-branch=main');
  for (const text of ['theirs', 'changed']) {
    writeFileSync(join(origin, 'file'), text);
    git(origin, `git add --all && git commit --quiet --message ${text}`);
  }
  const [, depth] = /git clone (--depth 1)/.exec(read('README.md'))!;
  git(folder, `git clone --quiet ${depth} 'file://${origin}' clone && git init --quiet --bare mine`);
  writeFileSync(join(clone, 'file'), 'ours');
  git(clone, `git remote add mine '${mine}'`);
  const commands =
    read('docs/deploy.md').match(/^ {4}git (checkout --orphan|add|commit|branch|push) .*$/gm) ?? [];
  git(clone, commands.join('\n').replace(/^/, 'set -e\n'));
  expect(git(mine, 'git log --oneline main').trim().split('\n')).toHaveLength(1);
  expect(git(mine, 'git show main:file')).toBe('ours');
});
