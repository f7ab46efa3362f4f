import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SiteCopy } from './site-copy.ts';

let site: SiteCopy;
beforeEach(() => void (site = new SiteCopy()));
afterEach(() => site.remove());

describe('content with mistakes', () => {
  it('stops the build, which lists all of them with file, line and what to do', () => {
    site.edit('content/faq/payouts.mdx', 'question:', 'questin:');
    site.edit('content/perks/xp-perks.mdx', 'order: 4', 'order: 3');
    site.edit('content/legal/terms-of-use.mdx', '{minimumAge}', '{minimalAge}');
    const { status, output } = site.build();
    expect(status).toBe(1);
    expect(output).toContain('content/faq/payouts.mdx:3  "questin" is no field of this file.');
    expect(output).toContain('content/legal/terms-of-use.mdx:12  There is no fact {minimalAge}.');
    expect(output).toContain(
      'content/perks/xp-perks.mdx:2  content/perks/featured-placement.mdx has the same',
    );
    expect(output).toContain('3 mistakes');
    expect(output).not.toContain('    at ');
  });
});
