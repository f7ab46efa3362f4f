import { expect, it } from 'vitest';
import { composeMessage } from '../../functions/resend-email/compose-message.ts';
import { fillHtml, fillText } from '../../shared/fill-template.ts';

const siteUrl = 'https://dropyard.example';
const values = { address: 'name@example.com', unsubscribeAddress: 'leave@dropyard.example', siteUrl };

it('a filled template shows a hostile value as text, and keeps everything that is not a placeholder', () => {
  const address = `<img src=x onerror="alert('1')">&{{unsubscribeAddress}}$&`;
  expect(fillHtml('<b>{{address}}</b>', { ...values, address })).toBe(
    '<b>&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;{{unsubscribeAddress}}$&#38;</b>',
  );
  expect(fillText('{{constructor}} {address}', values)).toBe('{{constructor}} {address}');
});

it('a message shows the address as it is, in plain text and in HTML, leads home, and can be unsubscribed from', () => {
  const text = '{{address}} {{siteUrl}}/ {{unsubscribeUrl}}';
  const template = { subject: 'Hello', html: '<p>{{address}}</p>', text };
  const deployment = {
    sender: 'Yard, Inc. <hello@dropyard.example>',
    supabaseUrl: 'https://abc.supabase.co',
    unsubscribeAddress: values.unsubscribeAddress,
    siteOrigins: [siteUrl, 'https://old.example'] as [string, ...string[]],
  };
  expect(JSON.parse(composeMessage(template, "o'brien&co@example.com", 'token', deployment))).toEqual({
    from: '"Yard, Inc." <hello@dropyard.example>',
    to: ["o'brien&co@example.com"],
    subject: 'Hello',
    html: '<p>o&#39;brien&#38;co@example.com</p>',
    text: "o'brien&co@example.com https://dropyard.example/ https://abc.supabase.co/functions/v1/unsubscribe?token=token",
    headers: {
      'List-Unsubscribe':
        '<https://abc.supabase.co/functions/v1/unsubscribe?token=token>, <mailto:leave@dropyard.example?subject=Unsubscribe%20token>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
    },
  });
});
