import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { knownContent } from '../known-content.ts';
import { type Amount, writeOtherContent } from '../other-content.ts';

const root = resolve(import.meta.dirname, '../..');
const ofSite = [
  ...['src', '.vscode', 'content', 'public', 'functions', 'shared'],
  ...['astro.config.mjs', 'tsconfig.json', 'package.json'],
];

export const deploymentValues = {
  PUBLIC_SITE_URL: 'https://dropyard.example',
  PUBLIC_SUPABASE_URL: 'https://abc.supabase.co',
  PUBLIC_SUPABASE_ANON_KEY: 'sb_publishable_abc',
};

/** The environment for Astro: these values, without any that the test runner or the shell has set. */
export function makeEnvironment(values: Record<string, string> = deploymentValues): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PUBLIC_|VITEST|NODE_ENV)/.test(name));
  return { ...Object.fromEntries(inherited), ...values, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };
}

/** A copy of the site's sources, for tests to change and build. */
export class SiteCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'waitlist-site-'));

  /** `others` are files and folders to copy in addition to `sources`. `content` replaces the editor's. */
  constructor({
    sources = ofSite,
    others = [],
    content,
  }: { sources?: string[]; others?: string[]; content?: 'known' | Amount } = {}) {
    const filter = (path: string) => !path.startsWith(join(root, 'tests/results'));
    for (const source of [...sources, ...others])
      cpSync(join(root, source), join(this.folder, source), { recursive: true, filter });
    if (content) writeOtherContent(this.folder, content === 'most' ? 'most' : 'least');
    if (content === 'known') for (const [file, text] of Object.entries(knownContent)) this.write(file, text);
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  write(file: string, text: string | Buffer): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  delete(path: string): void {
    rmSync(join(this.folder, path), { recursive: true, force: true });
  }

  /** Replaces a part of a file. Throws an Error when the file does not contain it. */
  edit(file: string, from: string | RegExp, to: string): void {
    let isFound = false;
    const changed = this.read(file).replace(from, () => ((isFound = true), to));
    if (!isFound) throw new Error(`${file} does not contain ${from}`);
    this.write(file, changed);
  }

  /** Builds like `npm run build`, and returns the output that a person would see. */
  build(values: Record<string, string> = deploymentValues): { status: number | null; output: string } {
    const args = ['node_modules/astro/bin/astro.mjs', 'build'];
    const options = { cwd: this.folder, encoding: 'utf8', env: makeEnvironment(values) } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    return { status, output: stdout + stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
