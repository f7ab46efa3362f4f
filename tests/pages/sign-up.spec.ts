import { expect, type Route } from '@playwright/test';
import { EMAIL_TIMEOUT } from '../../src/waitlist/join-waitlist.ts';
import { readWords } from '../words.ts';
import { viewports } from './every-page.ts';
import { makeAddress, readEntries, readMessages, reply, test } from './landing-page.ts';
import { expectSeen } from './seen.ts';

const form = readWords('waitlistForm');
const { subject } = readWords('welcomeEmail');

test('both forms sign a visitor up: modal, email and row, and no warning', async ({ page, landing }) => {
  await landing.open();
  for (const [index, place] of (['hero', 'waitlist'] as const).entries()) {
    const address = makeAddress(place);
    await landing[place].submit(address);
    await expectSeen(landing.success);
    await expect(landing.success.getByText(address, { exact: true })).toBeVisible();
    await expect(landing[place].field).toHaveValue('');
    const [message, ...others] = await readMessages(address);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ subject, to: [address] });
    expect(await readEntries(address)).toEqual([
      { email: address, created_at: expect.any(Date), source: 'landing_page' },
    ]);
    const saved = () => landing.logs.filter((line) => line.includes('Waitlist entry saved:'));
    await expect.poll(saved).toHaveLength(index + 1);
    await page.keyboard.press('Escape');
  }
  expect(landing.logs.filter((line) => !line.startsWith('log: '))).toEqual([]);
});

test('a sign-up makes the calls of the specification in order', async ({ page, landing }) => {
  const requests: { url: string; headers: Record<string, string>; body: unknown }[] = [];
  const note = (route: Route) => {
    const request = route.request();
    requests.push({ url: request.url(), headers: request.headers(), body: request.postDataJSON() });
  };
  await landing.fake({
    welcome: (route) => (note(route), reply(route, 200, '{}')),
    entry: (route) => (note(route), reply(route, 201, '')),
  });
  await landing.open();
  await landing.join('name@example.org');
  await expect.poll(() => requests).toHaveLength(2);
  const [welcome, entry] = requests;
  const key = await page.locator('input[name=apikey]').first().inputValue();
  expect(welcome?.headers).toMatchObject({
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
    apikey: key,
  });
  expect(welcome?.body).toEqual({
    from: expect.stringContaining('@'),
    to: 'name@example.org',
    subject,
    html: expect.stringMatching(/^<!DOCTYPE html[\s\S]*name@example\.org[\s\S]*<\/html>$/),
  });
  // An update of an existing row would be refused.
  expect(entry?.headers['prefer'] ?? '').not.toContain('resolution');
  expect(entry?.body).toEqual([
    {
      email: 'name@example.org',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      source: 'landing_page',
    },
  ]);
});

test('many submits make one sign-up, in one form, and a correction stays', async ({ landing }) => {
  const answer = await landing.holdAnswers();
  await landing.open();
  await landing.hero.field.fill('name@example.org');
  await landing.expectAwake();
  await landing.hero.root.evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await landing.hero.field.press('Enter');
  await landing.hero.button.click({ clickCount: 3, force: true });
  await expect(landing.hero.root.getByRole('status')).toHaveText(form.sending);
  await expect(landing.waitlist.button).toBeEnabled();
  await landing.hero.field.fill('corrected@example.org');
  answer();
  await expect(landing.success).toBeVisible();
  await expect(landing.hero.button).toHaveText(form.action);
  await expect(landing.hero.field).toHaveValue('corrected@example.org');
  await landing.expectCalls('welcome', 'entry');
});

test('a failed email call changes nothing, and the next try works', async ({ page, landing }) => {
  const failures: ((route: Route) => Promise<unknown>)[] = [
    (route) => reply(route, 403, '{"error":{"code":"delivery_failed"}}'), // as a firewall answers, too
    (route) => route.abort('connectionrefused'),
    // Without an answer.
    () => page.clock.fastForward(EMAIL_TIMEOUT),
  ];
  const rest = [...failures];
  await page.clock.install();
  await landing.fake({ welcome: (route) => rest.shift()?.(route) ?? reply(route, 200, '{}') });
  await landing.open();
  const before = await page.locator('main').innerText();
  await landing.hero.field.fill('name@example.org');
  const notSent = () => landing.logs.filter((line) => line.includes('Welcome email not sent:'));
  for (const index of failures.keys()) {
    await landing.hero.button.click();
    // Not the native form's answer.
    await expect(page).toHaveURL('/');
    await expect.poll(notSent).toHaveLength(index + 1);
    await expect(landing.hero.button).toBeEnabled();
    await expect(landing.hero.field).toHaveValue('name@example.org');
    await expect(landing.success).toBeHidden();
    expect(await page.locator('main').innerText()).toBe(before);
  }
  expect(notSent()[0]).toContain('403 Forbidden {"error":{"code":"delivery_failed"}}');
  expect(landing.calls).toEqual(failures.map(() => 'welcome'));
  // The browser lost the answer, because the visitor looked at another page and came back.
  const comeBack = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))";
  rest.push(() => page.evaluate(comeBack));
  await landing.hero.button.click();
  await expect(landing.success).toBeVisible();
});

test('the browser requires an email, and phones show its keyboard', async ({ page, landing }) => {
  await page.setViewportSize(viewports[0]);
  await landing.fake({});
  await landing.open();
  const { field, button } = landing.hero;
  await expect(field).toHaveAccessibleDescription(`${form.consent} ${form.consentLink}.`);
  for (const [name, value] of Object.entries({
    name: 'email_address',
    autocomplete: 'email',
    inputmode: 'email',
    enterkeyhint: 'send',
  })) {
    await expect(field).toHaveAttribute(name, value);
  }
  // Safari on a phone zooms into fields with smaller text.
  const size = await field.evaluate((input) => parseFloat(getComputedStyle(input).fontSize));
  expect(size).toBeGreaterThanOrEqual(16);
  const overlap = await field.evaluate((input) => {
    const { borderTopWidth, paddingTop } = getComputedStyle(input);
    const label = (input as HTMLInputElement).labels![0]!.getBoundingClientRect();
    const text = input.getBoundingClientRect().top + parseFloat(borderTopWidth) + parseFloat(paddingTop);
    return label.bottom - text;
  });
  expect(overlap, 'the label and what is typed').toBeLessThan(3);
  for (const [typed, reason] of [
    ['', 'valueMissing'],
    ['no address', 'typeMismatch'],
    ['name@example', 'patternMismatch'],
  ] as const) {
    await field.fill(typed);
    await button.click();
    const isReason = field.evaluate((input: HTMLInputElement, name) => input.validity[name], reason);
    expect(await isReason, reason).toBe(true);
  }
  expect(landing.calls).toEqual([]);
});
