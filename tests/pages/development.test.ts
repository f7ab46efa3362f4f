import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../ops/stack/settings.ts';
import { makeEnvironment, SiteCopy } from './site-copy.ts';

const payouts = 'content/faq/payouts.mdx';
const site = new SiteCopy({ content: 'known' });
afterAll(() => site.remove());

it('the site in development names the line of a mistake, and shows the page once it is fixed', async () => {
  const right = site.read(payouts);
  const port = await findFreePort();
  const args = ['node_modules/astro/bin/astro.mjs', 'dev', '--port', String(port), '--host', '127.0.0.1'];
  const server = spawn(process.execPath, args, { cwd: site.folder, env: makeEnvironment(), stdio: 'ignore' });
  onTestFinished(async () => {
    server.kill();
    await once(server, 'exit');
  });
  const expectPage = async (status: number, words: string) => {
    const open = async () => {
      const headers = { Accept: 'text/html' };
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers }).catch(() => Response.error());
      return { status: response.status, html: await response.text() };
    };
    const expected = { status, html: expect.stringContaining(words) };
    await expect.poll(open, { timeout: 100_000 }).toEqual(expected);
  };
  await expectPage(200, 'What is a test paid?');
  site.edit(payouts, 'order: 904', 'order: [4');
  await expectPage(500, `${payouts}:2  `);
  site.write(payouts, right.replace('paid', 'given'));
  await expectPage(200, 'What is a test given?');
});
