import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SiteCopy } from './site-copy.ts';

let site: SiteCopy;
beforeEach(() => void (site = new SiteCopy({ content: 'known', others: ['local/check-content.ts'] })));
afterEach(() => site.remove());

describe('content with mistakes', () => {
  it('stops the build, which lists all mistakes with file, line and what to do', () => {
    site.edit('content/faq/payouts.mdx', 'question:', 'questin:');
    site.edit('content/perks/xp-perks.mdx', 'order: 904', 'order: 903');
    site.edit('content/features/sell.mdx', '{freeShare}', '{freeShar}');
    const { status, output } = site.build();
    expect(status).toBe(1);
    expect(output).toContain('content/faq/payouts.mdx:3  Unknown field "questin".');
    expect(output).toContain(
      'content/features/sell.mdx:7  Visitors would see {freeShar} as typed. Did you mean {freeShare}?',
    );
    expect(output).toContain(
      'content/perks/xp-perks.mdx:2  content/perks/featured-placement.mdx has the same',
    );
    expect(output).not.toMatch(/    at |unhandled/);
  });

  it('fails check:content, which passes once they are fixed', () => {
    const check = () =>
      spawnSync(process.execPath, ['local/check-content.ts'], { cwd: site.folder, encoding: 'utf8' });
    expect(check()).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('no mistakes') });
    site.edit('content/faq/payouts.mdx', 'question:', 'questin:');
    expect(check()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('content/faq/payouts.mdx:3  Unknown field "questin".'),
    });
  });
});
