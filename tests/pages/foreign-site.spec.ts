import { expect } from '@playwright/test';
import { anchors } from '../../src/config/site.ts';
import { makeAddress, readEntries, test } from './landing-page.ts';

test('a copy of the page elsewhere leads to an outcome here', async ({ page, landing, baseURL }) => {
  const email = makeAddress('elsewhere');
  await page.goto(baseURL!.replace('localhost', 'copy.localhost'));
  await landing.hero.field.focus();
  await landing.expectAwake();
  await landing.hero.submit(email);
  await expect(page).toHaveURL(`${baseURL}/${anchors.notJoined}`);
  expect(await readEntries(email)).toEqual([]);
});
