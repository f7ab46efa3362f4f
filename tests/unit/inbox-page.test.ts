import { describe, expect, it } from 'vitest';
import { showHeaders } from '../../local/inbox-page.ts';

const page = '<p>To</p><div class="section-heading">Preview</div><p>Message</p>';

describe('the page of a message in the inbox', () => {
  it('shows the headers above the preview, with a link for each URL', () => {
    const shown = showHeaders(page, {
      'List-Unsubscribe': '<mailto:a@b.example>, <http://c.example/?d=1&e=2>',
    });
    expect(shown).toMatch(/^<p>To<\/p>.*<strong>List-Unsubscribe:<\/strong>.*Preview<\/div><p>Message<\/p>$/);
    expect(shown).toContain('<a href="mailto:a@b.example"');
    expect(shown).toContain('<a href="http://c.example/?d=1&amp;e=2"');
  });

  it('shows a hostile header as text', () => {
    const shown = showHeaders(page, { '<b>': '<javascript:alert()> <http://a.example/"onclick="b>' });
    expect(shown.match(/<a /g)).toHaveLength(1);
    expect(shown).not.toContain('<b>');
    expect(shown).not.toContain('"onclick');
  });

  it('stays as it is for a message without headers', () => {
    expect(showHeaders(page, {})).toBe(page);
  });
});
