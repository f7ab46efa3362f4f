import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { figures, site as facts, social } from '~/config/site.ts';
import { makeEnvironment, SiteCopy } from './site-copy.ts';

/** What an owner may set, each to another value. */
const otherFigures = {
  freeShare: '80%',
  premiumShare: '95%',
  firstCreators: '500',
  minimumAge: '21',
  deletionTime: '2 weeks',
  payoutTime: '5 business days',
  emailResponseTime: '12 hours',
} satisfies Record<keyof typeof figures, string>;
const otherName = 'Crate & Yard';

let site: SiteCopy;
beforeAll(() => {
  site = new SiteCopy({
    others: ['.prettierrc.json', '.prettierignore', 'README.md', 'docs', 'tests', 'ops'],
  });
  const file = 'src/config/site.ts';
  site.edit(file, `const name = '${facts.name}'`, `const name = '${otherName}'`);
  site.edit(file, `copyrightYear: '${facts.copyrightYear}'`, "copyrightYear: '2031'");
  for (const [name, figure] of Object.entries(otherFigures)) {
    site.edit(file, `${name}: '${figures[name as keyof typeof figures]}'`, `${name}: '${figure}'`);
  }
  for (const { link, alternative } of Object.values(social)) {
    site.edit(file, link, link.replace('https://', 'https://other.'));
    site.edit(file, alternative, alternative.replace('https://', 'https://other.'));
  }
  // One network is dropped, another one added, and nobody formats the file.
  const networks = site.read(file);
  site.write(
    file,
    networks
      .replace(/^ {2}youtube: \{[^}]*\},\n/m, '')
      .replace(/,? *social\.youtube,?/g, '')
      .replace(/(footerSocial[^=]*= \[)/, '$1social.instagram,   '),
  );
});
afterAll(() => site.remove());

it.each([
  ['the formatter', 'prettier/bin/prettier.cjs', '--check', 'src/config/site.ts'],
  // Of this file alone, because the types of the whole project take a quarter of a minute.
  ['the type checker', 'typescript/bin/tsc', '--ignoreConfig', '--noEmit', 'src/config/site.ts'],
  ['the content check', 'src/content-model/check/main.ts'],
  [
    'every test that reads facts or words, also on a site that is built with them,',
    ...['vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts', 'tests/pages/pages.test.ts'],
    ...globSync('tests/unit/*.test.ts').filter((test) =>
      /\b(figures|site|social)\b.*site\.ts'|words\.ts'/.test(readFileSync(test, 'utf8')),
    ),
  ],
])('%s accepts every fact changed that the docs offer to an owner', (_, program, ...args) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(program!.startsWith('src/') ? '.' : 'node_modules', program!), ...args],
    {
      cwd: site.folder,
      encoding: 'utf8',
      env: makeEnvironment({}),
    },
  );
  expect(status, stdout + stderr).toBe(0);
});
