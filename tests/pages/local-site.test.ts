import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { prepareDataDir, readSettings } from '../../ops/stack/settings.ts';
import { buildSite } from '../../ops/stack/site-build.ts';

it('a local site that cannot be built reports the error and keeps its last pages until it is fixed', async () => {
  // A site of one page, which Astro builds in a moment.
  const root = mkdtempSync(join(tmpdir(), 'waitlist-small-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const settings = { ...readSettings({ DATA_DIR: join(root, '.data') }), root };
  mkdirSync(join(root, 'src/pages'), { recursive: true });
  writeFileSync(join(root, 'astro.config.mjs'), `export default { cacheDir: '.astro' };\n`);
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'));
  prepareDataDir(settings.dataDir);
  const build = (page: string) => {
    writeFileSync(join(root, 'src/pages/index.astro'), page);
    return buildSite(settings, new AbortController().signal);
  };
  const read = () => readFileSync(join(settings.siteFolder, 'index.html'), 'utf8');

  await build('<p>first</p>');
  await expect(build('---\nthrow new Error("out of order");\n---\n')).rejects.toThrow(
    /^The site could not be built:\n[^]*out of order/,
  );
  expect(read()).toContain('first');
  await build('<p>second</p>');
  expect(read()).toContain('second');
});
