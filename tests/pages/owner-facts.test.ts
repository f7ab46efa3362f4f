import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { figures, site, social } from '~/config/site.ts';
import { makeEnvironment, SiteCopy } from './site-copy.ts';

/** What an owner may set, each to another value. */
const otherFigures = {
  freeShare: '87.5%',
  premiumShare: '95%',
  firstCreators: '500',
  minimumAge: '21',
  deletionTime: '2 weeks',
  payoutTime: '5 business days',
  emailResponseTime: '12 hours',
} satisfies Record<keyof typeof figures, string>;
const otherName = 'Crate & Yard';
const twitch =
  "twitch: { label: 'Twitch', icon: 'twitch', link: 'https://twitch.tv/crate', hasOval: false },";

let copy: SiteCopy;
beforeAll(() => {
  copy = new SiteCopy({
    others: ['.env.example', '.github', 'README.md', 'docs', 'tests', 'ops', 'supabase', 'wrangler.jsonc'],
  });
  const file = 'src/config/site.ts';
  copy.edit(file, `const name = '${site.name}'`, `const name = '${otherName}'`);
  copy.edit(file, `copyrightYear: '${site.copyrightYear}'`, "copyrightYear: '2031'");
  for (const [name, figure] of Object.entries(otherFigures)) {
    copy.edit(file, `${name}: '${figures[name as keyof typeof figures]}'`, `${name}: '${figure}'`);
  }
  for (const { icon, link } of Object.values(social)) copy.edit(file, link, `https://${icon}.com/crate`);
  // One network is dropped, another one added, and nobody formats the file.
  const networks = copy.read(file);
  copy.write(
    file,
    networks
      .replaceAll(/^ +alternative: '.*',\n/gm, '')
      .replace(/^ {2}youtube: \{[^}]*\},\n/m, twitch)
      .replace(/,? *social\.youtube,?/g, '')
      .replace(/(footerSocial[^=]*= \[)/, '$1social.twitch,   '),
  );
  copy.write('src/pictures/brands/twitch.svg', copy.read('src/pictures/brands/x.svg'));
});
afterAll(() => copy.remove());

it.each([
  // Of this file alone, because the types of the whole project take a quarter of a minute.
  ['the type checker', 'node_modules/typescript/bin/tsc', '--ignoreConfig', '--noEmit', 'src/config/site.ts'],
  ['the content check', 'src/content-model/check/main.ts'],
  [
    'every unit test, and every test of a built site,',
    ...[
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'tests/vitest.config.ts',
      'tests/unit',
      'tests/pages/pages.test.ts',
    ],
  ],
])('%s accepts every fact changed that the docs offer to an owner', { timeout: 300_000 }, (_, ...command) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: copy.folder,
    encoding: 'utf8',
    env: makeEnvironment({}),
  });
  expect(status, stdout + stderr).toBe(0);
});
