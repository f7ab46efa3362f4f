import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { fillHtml } from '../../ground/fill-template.ts';
import { renderWelcome } from '~/email/render.tsx';
import { WelcomeEmail } from '~/email/WelcomeEmail.tsx';
import { emailSocial, signUp, site, social } from '~/site.ts';
import { readWords } from '../words.ts';

const words = readWords('welcomeEmail');
const welcome = await renderWelcome();

describe('the rendered welcome email', () => {
  it('has the subject, the titles and the section on what is coming', () => {
    expect(welcome.subject).toBe(signUp.subject);
    const lines = [
      words.heading,
      words.tagline,
      words.pass,
      words.intro,
      words.reason,
      site.independenceNotice,
    ];
    for (const line of lines) {
      expect(welcome.text).toContain(line);
      // A name such as "Crate & Yard" is allowed.
      expect(welcome.html).toContain(renderToStaticMarkup(line));
    }
    expect(welcome.text).toContain(`${words.member} {{address}}\n`);
    expect(welcome.text).toContain(`\n${words.comingHeading}\n\n * ${words.coming[0]}\n`);
    expect(welcome.text).toContain(`\n${words.nextHeading}\n\n 1. ${words.nextDiscord} `);
  });

  it.each(words.coming)('says what is coming: %s', (line) => {
    const item = RegExp.escape(`>${renderToStaticMarkup(line)}</div></li>`);
    expect(welcome.html).toMatch(new RegExp(`<li[^>]*><div[^>]*${item}`));
    expect(welcome.text).toContain(` * ${line}\n`);
  });

  it('leads to each thing to do now, and home', () => {
    const network = emailSocial.find(({ link }) => link !== social.discord.link) ?? social.discord;
    const links = [
      [' 1. ', words.nextDiscord, social.discord.link],
      [' 2. ', words.nextSocial, network.link],
      [' 3. ', words.nextDrop, '{{siteUrl}}/#faq'],
      ['', site.name, '{{siteUrl}}/'],
    ] as const;
    for (const [mark, line, url] of links) {
      const link = `href="${url}" target="_blank"[^>]*>(<span[^>]*>▼</span>)?`;
      expect(welcome.html).toMatch(new RegExp(`${link}${RegExp.escape(renderToStaticMarkup(line))}</a>`));
      expect(`\n${welcome.text}`).toContain(`\n${mark}${line} ${url}\n`);
    }
    expect(welcome.text).toContain(`\n\n${words.forward}\n\n`);
  });

  it('opens its social links in a new tab, and has an unsubscribe link', () => {
    for (const { label, link } of emailSocial)
      expect(welcome.html).toMatch(new RegExp(`href="${link}"[^>]*target="_blank"[^>]*>${label}</a>`));
    expect(welcome.html).toContain('href="mailto:{{unsubscribeAddress}}?subject=Unsubscribe"');
  });

  it('has one link a line in its text part', () => {
    for (const { label, link } of emailSocial) expect(welcome.text).toContain(`\n${label} ${link}\n`);
  });

  it('has a button to join Discord', () => {
    const [button = ''] = new RegExp(`<a [^>]*>${RegExp.escape(words.action)}</a>`).exec(welcome.html) ?? [];
    expect(button).toContain(`href="${social.discord.link}" target="_blank"`);
  });

  it('is the same as what the component renders once an address is filled in, even a hostile one', () => {
    const values = { address: `<b>"'&`, unsubscribeAddress: 'leave@dropyard.example', siteUrl: '' };
    const body = renderToStaticMarkup(
      createElement(WelcomeEmail, { words, ...values, linkTarget: '_blank' }),
    );
    const address = /<strong class="welcome-address"[^>]*>(.*?)<\/strong>/;
    expect(address.exec(fillHtml(welcome.html, values))?.[1]).toBe(address.exec(body)?.[1]);
  });

  it('has the bare unsubscribe address in its text part', () => {
    expect(welcome.text).toContain(` ${words.unsubscribe} {{unsubscribeAddress}}\n`);
  });
});
