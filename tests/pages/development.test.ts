import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../ops/stack/process.ts';
import { findFreePort } from '../../ops/stack/settings.ts';
import { figures, site as facts } from '../../src/config/site.ts';
import { deploymentValues, makeEnvironment, SiteCopy } from './site-copy.ts';

const payouts = 'content/faq/payouts.mdx';
const question = 'What is a test paid?';
const site = new SiteCopy({ content: 'known' });
const right = site.read(payouts);
const repair = () => site.write(payouts, right);
let server: ChildProcess;
let url: string;
let output = '';

beforeAll(async () => {
  // The server starts anyway.
  site.edit(payouts, 'order: 904', 'order: [4');
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}/`;
  const args = ['node_modules/astro/bin/astro.mjs', 'dev', '--port', String(port), '--host', '127.0.0.1'];
  server = spawn(process.execPath, args, { cwd: site.folder, env: makeEnvironment() });
  server.stdout?.on('data', (chunk) => (output += chunk));
  server.stderr?.on('data', (chunk) => (output += chunk));
});

afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill();
  await ended;
  site.remove();
});

/** Resolves to the response that a visitor's browser gets. */
async function open(path = ''): Promise<{ status: number; html: string }> {
  try {
    const response = await fetch(url + path, { headers: { Accept: 'text/html' } });
    return { status: response.status, html: await response.text() };
  } catch {
    return { status: 0, html: '' };
  }
}

async function expectPage(status: number, words: string, path = ''): Promise<void> {
  await expect
    .poll(() => open(path), { timeout: 100_000 })
    .toEqual({ status, html: expect.stringContaining(words) });
}

/** Waits for what the server prints, which arrives a moment before or after its response. */
async function expectOutput(words: string): Promise<void> {
  await expect.poll(() => output, { timeout: 100_000 }).toContain(words);
}

describe('the site in development', () => {
  it('starts with an unreadable file, names its line, and shows the page once it is fixed', async () => {
    await expectPage(500, `${payouts}:2  `);
    await expectOutput(`${payouts}:2  `);
    repair();
    await expectPage(200, question);
    await expectOutput('No mistakes are left in content/.');
  });

  it('renders the welcome email again when its words change', async () => {
    const artifact = 'shared/welcome.ts';
    site.edit('content/email/welcome.mdx', 'tagline: ', 'tagline: Today! ');
    expect(await waitUntil(async () => site.read(artifact).includes('Today! '), 50_000)).toBe(true);
    await expectPage(200, question);
    // The page of the email, as on the static host.
    await expectPage(200, 'Today! ', 'welcome/name');
  });

  it('shows a stray file, keeps running, and recovers when it is gone', async () => {
    const stray = 'content/sections/heroes.mdx';
    site.write(stray, '---\n---\n');
    await expectPage(500, `${stray}:1  No page shows a file with this name.`);
    site.delete(stray);
    await expectPage(200, question);
    expect(output).not.toMatch(/Reloaded data|collection schema|Failed to reload/);
  });
});

describe('the build of a branch at Cloudflare, beside the site in development', () => {
  /** Values of a real project, which a branch must not get to use even if somebody sets them. */
  const real = { ...deploymentValues, PUBLIC_EMAIL_FUNCTION_URL: 'https://functions.test/resend-email' };

  beforeAll(() => {
    repair();
    site.edit(payouts, 'You can', `You keep ${figures.freeShare} and can`);
    const build = site.build({ ...real, WORKERS_CI: '1' });
    expect(build.status, build.output).toBe(0);
  });

  it('passes with words that only look wrong, and does not restart the server', async () => {
    // Once a later edit shows, the server has seen every file that the build wrote.
    site.edit(payouts, question, 'Who builds the site?');
    await expectPage(200, 'Who builds the site?');
    expect(output).not.toContain('server restarted');
  });

  it('is a preview, which says so on every page, is not listed, and can call nothing real', () => {
    const files = globSync('dist/**/*.{html,js,txt,xml}', { cwd: site.folder }).concat('dist/_headers');
    const pages = files.filter((file) => file.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages) {
      expect(site.read(page), page).toContain(facts.previewNotice);
      expect(site.read(page), page).toContain('<meta name="robots" content="noindex">');
    }
    for (const file of files)
      for (const value of Object.values(real)) expect(site.read(file), file).not.toContain(value);
    expect(site.read('dist/index.html')).toContain(`action="${facts.previewUrl}`);
  });
});
