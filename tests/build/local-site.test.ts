import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareDataDir, readSettings } from '../../local/settings.ts';
import { buildSite, fingerprint } from '../../local/site-build.ts';

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
const build = () => buildSite(settings, new AbortController().signal);

beforeAll(() => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'));
  prepareDataDir(settings.dataDir);
});
afterAll(() => rmSync(root, { recursive: true }));

it('the local site depends on each of its files and values', () => {
  const seen = new Set([fingerprint(settings)]);
  for (const file of Object.keys(files)) {
    appendFileSync(join(root, file), '\n');
    seen.add(fingerprint(settings));
  }
  seen.add(fingerprint({ ...settings, values: { ...settings.values, PUBLIC_FAILURE_NOTICE: 'true' } }));
  expect(seen.size).toBe(Object.keys(files).length + 2);
});

it('the local site is built again when something that it depends on has changed, and only then', async () => {
  expect(await build()).toBe(true);
  expect(await build()).toBe(false);
  appendFileSync(join(root, 'src/pages/index.astro'), '\n');
  expect(await build()).toBe(true);
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
