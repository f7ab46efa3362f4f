import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { renderWelcome } from '~/emails/render.tsx';
import { emailSocial, site, social } from '~/config/site.ts';
import { readWords } from '../words.ts';

const words = readWords('welcomeEmail');
const welcome = await renderWelcome();

describe('the rendered welcome email', () => {
  it('has the titles and the section on what is coming', () => {
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
    expect(welcome.html).toContain('>{{address}}</a>');
    const coming = words.coming.map((line) => ` * ${line}\n`).join('');
    expect(welcome.text).toContain(`\n${words.comingHeading}\n\n${coming}`);
    for (const line of words.coming)
      expect(welcome.html).toContain(`>${renderToStaticMarkup(line)}</div></li>`);
    expect(welcome.text).toContain(`\n${words.nextHeading}\n\n 1. ${words.nextDiscord} `);
  });

  it('leads to each thing to do now, and home, and has a button to join Discord', () => {
    const links = [
      [' 1. ', words.nextDiscord, social.discord.link],
      [' 3. ', words.nextDrop, `{{siteUrl}}${words.nextDropLink}`],
    ] as const;
    for (const [mark, line, url] of links) {
      const link = `href="${url}" target="_blank"[^>]*>`;
      expect(welcome.html).toMatch(new RegExp(`${link}${RegExp.escape(renderToStaticMarkup(line))}</a>`));
      expect(`\n${welcome.text}`).toContain(`\n${mark}${line} ${url}\n`);
    }
    expect(welcome.text).toContain(`\n${words.forward}\n`);
    expect(welcome.html).toContain('href="{{siteUrl}}/" target="_blank"');
    expect(welcome.html).toContain('href="mailto:{{unsubscribeAddress}}?subject=Unsubscribe"');
    expect(welcome.text).toContain(` 2. ${words.nextSocial}\n`);
    const [button = ''] = new RegExp(`<a [^>]*>${RegExp.escape(words.action)}</a>`).exec(welcome.html) ?? [];
    expect(button).toContain(`href="${social.discord.link}" target="_blank"`);
  });

  it.each(emailSocial)('opens its link to $label in a new tab, also as text', ({ label, link }) => {
    expect(welcome.html).toMatch(new RegExp(`href="${link}"[^>]*target="_blank"[^>]*>${label}</a>`));
    expect(welcome.text).toContain(`\n${label} ${link}\n`);
  });
});
