import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build as buildWithVite } from 'vite';
import { findFreePort } from '../local/settings.ts';
import { deploymentValues, SiteCopy } from '../tests/build/site-copy.ts';
import { readContent } from './content.ts';
import { writePage } from './hand-written/page.ts';
import type { Phone } from './phone.ts';
import { type Picture, readPicture } from './picture.ts';
import { type Certificate, serve, type Site } from './server.ts';

/** The pages that are measured, each behind an address of its own, and how to take them down again. */
export interface Contenders {
  sites: { thisSite: Site; handWritten: Site; singlePage: Site };
  /** The words by which each of them says that a sign-up worked. */
  confirmation: string;
  close(): Promise<void>;
}

/**
 * Builds and serves this site, and the two pages of the same words beside it.
 *
 * @throws Error with what the build said when it fails.
 */
export async function openContenders(phone: Phone, certificate: Certificate): Promise<Contenders> {
  const copy = new SiteCopy();
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
  const thisSite = await openThisSite(copy, certificate);
  const picture = await readPicture(phone, thisSite.url);
  const content = readContent();
  const handWritten = join(folder, 'hand-written');
  const singlePage = join(folder, 'single-page');
  const style = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8').replace(/\/\*.*?\*\/|\s+/gs, ' ');
  writeFile(join(handWritten, 'index.html'), writePage(content, picture, style));
  await buildWithVite({
    configFile: false,
    logLevel: 'warn',
    root: join(import.meta.dirname, 'single-page'),
    publicDir: false,
    build: { outDir: singlePage, emptyOutDir: true },
    define: { CONTENT: JSON.stringify(content), PICTURE: JSON.stringify(picture ?? null) },
  });
  for (const beside of [handWritten, singlePage]) copyAssets(beside, join(copy.folder, 'dist'), picture);
  const sites = {
    thisSite,
    handWritten: await serve(handWritten, certificate),
    singlePage: await serve(singlePage, certificate),
  };
  return {
    sites,
    confirmation: content.success.heading,
    async close() {
      for (const site of Object.values(sites)) await site.close();
      copy.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openThisSite(copy: SiteCopy, certificate: Certificate): Promise<Site> {
  const port = await findFreePort();
  const url = `https://127.0.0.1:${port}`;
  const { status, output } = copy.build({
    ...deploymentValues,
    PUBLIC_SITE_URL: url,
    PUBLIC_SUPABASE_URL: url,
  });
  if (status !== 0) throw new Error(`The site could not be built:\n${output.trim()}`);
  return serve(join(copy.folder, 'dist'), certificate, port);
}

function copyAssets(folder: string, dist: string, picture: Picture | undefined): void {
  for (const file of ['icon.svg', 'robots.txt']) cpSync(join(dist, file), join(folder, file));
  if (picture) cpSync(join(dist, picture.path), join(folder, picture.path));
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
