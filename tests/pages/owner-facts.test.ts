import { spawnSync } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { changeFacts } from './other-facts.ts';
import { makeEnvironment, SiteCopy } from './site-copy.ts';

const others = ['.env.example', '.github', 'README.md', 'docs', 'tests', 'ops', 'supabase', 'wrangler.jsonc'];
const copy = new SiteCopy({ others });
changeFacts(copy);
afterAll(() => copy.remove());

/** `pages.test.ts` builds a site with the same facts. */
it.each([
  // Of this file alone, because the types of the whole project take a quarter of a minute.
  ['the type checker', 'node_modules/typescript/bin/tsc', '--ignoreConfig', '--noEmit', 'src/config/site.ts'],
  ['the content check', 'src/content-model/check/main.ts'],
  [
    'every unit test that reads facts',
    ...['node_modules/vitest/vitest.mjs', 'related', 'src/config/site.ts', 'shared/welcome.ts'],
    ...['--run', '--config', 'tests/vitest.config.ts', '--project', 'unit'],
  ],
])('%s accepts every fact changed that the docs offer to an owner', (_, ...command) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: copy.folder,
    encoding: 'utf8',
    env: makeEnvironment({}),
  });
  expect(status, stdout + stderr).toBe(0);
});
