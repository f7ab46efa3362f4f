import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareDataDir, readSettings } from '../../local/settings.ts';
import { buildSite } from '../../local/site-build.ts';

/** A site of one page, which Astro builds in a moment. */
const root = mkdtempSync(join(tmpdir(), 'waitlist-small-'));
const settings = { ...readSettings({ DATA_DIR: join(root, '.data') }), root };
const files = {
  'src/pages/index.astro': '<p>Hello</p>\n',
  'content/faq/first.mdx': '',
  'public/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" />\n',
  'ground/variables.ts': '',
  'astro.config.mjs': `export default { cacheDir: '.astro' };\n`,
  'package-lock.json': '{}',
};
const build = (changes: Partial<typeof settings> = {}) =>
  buildSite({ ...settings, ...changes }, new AbortController().signal);

beforeAll(() => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'));
  prepareDataDir(settings.dataDir);
});
afterAll(() => rmSync(root, { recursive: true }));

it('the local site is built again when a file or a value that it depends on has changed, and only then', async () => {
  expect(await build()).toBe(true);
  expect(await build()).toBe(false);
  for (const file of Object.keys(files)) {
    appendFileSync(join(root, file), '\n');
    expect(await build(), file).toBe(true);
  }
  const values = { ...settings.values, PUBLIC_FAILURE_NOTICE: 'true' };
  expect(await build({ values }), 'a value').toBe(true);
  rmSync(settings.siteFolder, { recursive: true });
  expect(await build(), 'the built site itself').toBe(true);
});

it('a local site that cannot be built reports the error at every start until it is fixed', async () => {
  const page = join(root, 'src/pages/index.astro');
  writeFileSync(page, '---\nthrow new Error("out of order");\n---\n');
  await expect(build()).rejects.toThrow(/^The site could not be built:\n[^]*out of order/);
  await expect(build()).rejects.toThrow('out of order');
  writeFileSync(page, files['src/pages/index.astro']);
  expect(await build()).toBe(true);
});
