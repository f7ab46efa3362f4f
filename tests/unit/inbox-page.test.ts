import type { Message } from '../../functions/resend-email/send-message.ts';
import { describe, expect, it } from 'vitest';
import { writeInbox } from '../../ops/stack/inbox-page.ts';

const message: Message = {
  from: 'hello@example.org',
  to: ['jo@example.org'],
  subject: 'Welcome',
  html: '<p>Hello</p>',
  text: '',
  headers: {},
};

describe('the inbox', () => {
  it('shows the message and its headers, with a link for each URL', () => {
    const headers = { 'List-Unsubscribe': '<mailto:a@b.example>, <http://c.example/?d=1&e=2>' };
    const shown = writeInbox([{ ...message, headers }]);
    expect(shown).toContain('srcdoc="&#60;base target=&#34;_blank&#34;&#62;&#60;p&#62;Hello&#60;/p&#62;"');
    expect(shown).toContain('<p>List-Unsubscribe: ');
    expect(shown).toContain('<a href="mailto:a@b.example"');
    expect(shown).toContain('<a href="http://c.example/?d=1&#38;e=2"');
  });

  it('shows hostile text as text', () => {
    const headers = { '<i>': '<javascript:alert()> <http://a.example/"onclick="b>' };
    const shown = writeInbox([{ ...message, subject: '<i>', html: '"><i>', headers }]);
    expect(shown.match(/<a /g)).toHaveLength(1);
    expect(shown).not.toContain('<i>');
    expect(shown).not.toContain('"onclick');
  });
});
