import { expect } from '@playwright/test';
import { readWords } from '../words.ts';
import { test } from './landing-page.ts';

const form = readWords('waitlistForm');
const success = readWords('success');

/** Formats a line of a snapshot, in quotes, so that the words may contain any character. */
const line = (role: string, name: string, rest = '') =>
  `'${`${role} ${JSON.stringify(name)}${rest}`.replaceAll("'", "''")}'`;
const text = (words: string) => JSON.stringify(words);

test('a form reads as field, button and consent, and announces that it is sending', async ({
  page,
  landing,
}) => {
  const answer = await landing.holdAnswers();
  await landing.open();
  const idle = `
    - text: ${text(form.label)}
    - ${line('textbox', form.label)}:
      - /placeholder: ${text(form.placeholder)}
    - ${line('button', form.action)}
    - status
    - paragraph:
      - text: ${text(form.consent)}
      - ${line('link', form.consentLink)}:
        - /url: /privacy-policy
  `;
  await expect(landing.hero.root).toMatchAriaSnapshot(idle);
  await expect(landing.hero.field).toHaveAccessibleDescription(`${form.consent} ${form.consentLink}.`);
  await landing.hero.submit('visitor@example.org');
  await expect(landing.hero.root).toMatchAriaSnapshot(`
    - text: ${text(form.label)}
    - ${line('textbox', form.label)}: visitor@example.org
    - ${line('button', form.sending, ' [disabled]')}
    - status: ${text(form.sending)}
    - paragraph
  `);
  answer();
  await expect(landing.success).toMatchAriaSnapshot(`
    - ${line('dialog', success.heading)}:
      - ${line('heading', success.heading, ' [level=2]')}
      - paragraph: ${text(success.mail)}
      - paragraph: ${text(success.text)}
      - ${line('link', success.action)}
      - ${line('button', success.close)}
  `);
  await page.keyboard.press('Escape');
  await expect(landing.hero.root).toMatchAriaSnapshot(idle);
});
