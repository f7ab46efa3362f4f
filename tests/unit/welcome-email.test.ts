import { caniemail } from 'caniemail';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { fillHtml } from '../../functions/resend-email/fill-template.ts';
import { renderWelcome } from '~/email/render-welcome.tsx';
import { WelcomeEmail } from '~/email/WelcomeEmail.tsx';
import { emailSocial, signUp, site, social } from '~/site.ts';
import { readWords } from '../words.ts';

const words = readWords('welcomeEmail');
const welcome = await renderWelcome();

describe('the rendered welcome e-mail', () => {
  it('has the subject, the titles and the section on what is coming', () => {
    expect(welcome.subject).toBe(signUp.subject);
    const lines = [words.heading, words.tagline, words.intro, words.reason, site.independenceNotice];
    for (const line of lines) {
      expect(welcome.text).toContain(line);
      // A name such as "Crate & Yard" is allowed.
      expect(welcome.html).toContain(renderToStaticMarkup(line));
    }
  });

  it.each([...words.coming, ...words.next])('says what is coming and what to do now: %s', (line) => {
    expect(welcome.html).toMatch(new RegExp(`<li[^>]*>${RegExp.escape(renderToStaticMarkup(line))}</li>`));
    expect(welcome.text).toContain(` * ${line}\n`);
  });

  it('opens its social links in a new tab, and has an unsubscribe link', () => {
    for (const { link } of emailSocial)
      expect(welcome.html).toMatch(new RegExp(`href="${link}"[^>]*target="_blank"`));
    expect(welcome.html).toContain('href="mailto:{{unsubscribeAddress}}?subject=Unsubscribe"');
  });

  it('has a button to join Discord', () => {
    const [button = ''] = new RegExp(`<a [^>]*>${RegExp.escape(words.action)}</a>`).exec(welcome.html) ?? [];
    expect(button).toContain(`href="${social.discord.link}" target="_blank"`);
  });

  it('filled with an address equals what the component renders for it, even for hostile addresses', () => {
    const values = { address: `<b>"'&`, unsubscribeAddress: 'leave@dropyard.example' };
    const body = renderToStaticMarkup(
      createElement(WelcomeEmail, { words, ...values, linkTarget: '_blank' }),
    );
    const address = /<strong class="welcome-address"[^>]*>(.*?)<\/strong>/;
    expect(address.exec(fillHtml(welcome.html, values))?.[1]).toBe(address.exec(body)?.[1]);
  });
});

describe('the welcome e-mail in a mail client', () => {
  const clients = ['gmail.*', 'outlook.*', 'apple-mail.*', 'yahoo.*', 'samsung-email.*'] as const;

  /** The fallback of a client without the feature. */
  const fallbacks: Record<string, string> = {
    '<body> element': 'the paper colour also stands on the outer table',
    '<style> element': 'every colour and size is inline as well: the light message, with the wider margins',
    '@media': 'the same',
    'display:none': 'the preheader shows as a first line',
    'height property': 'max-height only helps to hide the preheader',
    overflow: 'the same',
    'role attribute': 'a screen reader names the layout tables',
    'word-break': 'a very long address makes a narrow message wider',
    'target attribute': 'a link opens where the client opens its links',
  };

  it('uses at most ten features that one of the large clients lacks, each with a fallback', () => {
    const { issues } = caniemail({ clients: [...clients], html: welcome.html });
    const lacking = new Set([...issues.errors.values()].flat().map(({ title }) => title));
    expect([...lacking].sort()).toEqual(Object.keys(fallbacks).sort());
    expect(lacking.size).toBeLessThanOrEqual(10);
  });

  it('is small, and declares its language, title, width and color schemes', () => {
    expect(Buffer.byteLength(welcome.html)).toBeLessThanOrEqual(20 * 1024);
    for (const part of [
      'lang="en"',
      '<title>Welcome to the Waitlist</title>',
      'name="viewport"',
      'name="color-scheme" content="light dark"',
      'prefers-color-scheme:dark',
    ]) {
      expect(welcome.html).toContain(part);
    }
    const [outer, message] = welcome.html.match(/<table[^>]*>/g) ?? [];
    expect(outer).not.toContain('max-width');
    expect(message).toMatch(/style="max-width:600px;/);
    expect(welcome.html.match(/@media \([a-z]+-width:[^)]*\)/g)).toEqual(['@media (max-width:600px)']);
  });

  it('lays out with presentation tables, and needs no picture', () => {
    const tables = welcome.html.match(/<table[^>]*>/g) ?? [];
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) expect(table).toContain('role="presentation"');
    for (const image of welcome.html.match(/<img[^>]*>/g) ?? []) expect(image).toMatch(/alt="/);
  });

  it('has the unsubscribe address in its text part, with nothing around it', () => {
    expect(welcome.text).toContain(' Unsubscribe {{unsubscribeAddress}}\n');
  });

  it('starts with a preheader, and has a text part with every link', () => {
    expect(welcome.html).toMatch(/<body[^>]*>(<!--[^>]*-->)*<div style="display:none[^>]*>/);
    expect(welcome.html).toContain(`>${renderToStaticMarkup(words.preview)}<`);
    const links = [...welcome.html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
      href.replace(/^mailto:([^?]*).*/, '$1'),
    );
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(welcome.text).toContain(link);
  });
});
