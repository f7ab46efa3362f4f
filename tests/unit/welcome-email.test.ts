import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { welcome } from '../../functions/resend-email/welcome.ts';
import { fillHtml } from '../../functions/resend-email/fill-template.ts';
import { renderWelcome } from '~/email/render-welcome.tsx';
import { WelcomeEmail } from '~/email/WelcomeEmail.tsx';
import { emailSocial, signUp, site, social } from '~/site.ts';

describe('the rendered welcome e-mail', () => {
  it('is the one that its component renders today (a build renews it)', async () => {
    const artefact = readFileSync(
      new URL('../../functions/resend-email/welcome.ts', import.meta.url),
      'utf8',
    );
    const isFresh = artefact === (await renderWelcome());
    expect(isFresh, 'functions/resend-email/welcome.ts is stale: build the site and commit it').toBe(true);
  });

  it('has the subject, the titles and what is coming', () => {
    expect(welcome.subject).toBe(signUp.subject);
    for (const part of [welcome.html, welcome.text]) {
      expect(part).toContain(`Welcome to ${site.name}`);
      expect(part).toContain('Let the Hustle begin');
      expect(part).toContain('Early access to creator storefronts');
      expect(part).toContain(site.independenceNotice);
    }
  });

  it('opens its five social links in a new tab, and has a link to leave', () => {
    for (const { link } of emailSocial)
      expect(welcome.html).toMatch(new RegExp(`href="${link}"[^>]*target="_blank"`));
    expect(emailSocial).toHaveLength(5);
    expect(welcome.html).toContain(`href="${social.discord.link}"`);
    expect(welcome.html).toContain('href="mailto:{{unsubscribeAddress}}?subject=Unsubscribe"');
  });

  it('filled with an address is what the component renders for it, hostile addresses too', () => {
    const values = { address: `<b>"'&`, unsubscribeAddress: 'leave@dropyard.example' };
    const body = renderToStaticMarkup(createElement(WelcomeEmail, { ...values, linkTarget: '_blank' }));
    const address = /<strong class="welcome-address">(.*?)<\/strong>/;
    expect(address.exec(fillHtml(welcome.html, values))?.[1]).toBe(address.exec(body)?.[1]);
  });
});
