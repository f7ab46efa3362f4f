import { expect, type Locator, type Page, type Route, test as base } from '@playwright/test';
import postgres from 'postgres';
import { readWords } from '../words.ts';

const port = (name: string) => process.env[`TEST_${name}`];

export const functionUrl = `http://127.0.0.1:${port('API_PORT')}/functions/v1/resend-email`;
const tableUrl = `http://127.0.0.1:${port('API_PORT')}/rest/v1/waitlist_emails`;

const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Methods': '*',
};

/** Finds the parts of one of the two forms of the landing page. */
function findForm(root: Locator, content?: string) {
  const field = root.getByRole('textbox', { name: readWords('waitlistForm', content).label, exact: true });
  const button = root.getByRole('button');
  const submit = async (address: string) => {
    await field.fill(address);
    await button.click({ position: { x: 40, y: 16 } }); // as far down as the label of the field
  };
  return { root, field, button, submit };
}

/** Finds the parts of the menu of the landing page. */
function findMenu(page: Page, content?: string) {
  const words = readWords('navigation', content);
  const trigger = page.getByRole('button', { name: words.open, exact: true });
  const dialog = page.getByRole('dialog', { name: words.heading, exact: true });
  const close = dialog.getByRole('button', { name: words.close, exact: true });
  const open = async () => {
    await trigger.click();
    await expect(dialog).toBeVisible();
  };
  return { trigger, dialog, close, open };
}

export type LandingPage = ReturnType<typeof watchLandingPage>;

/** The landing page as a visitor sees it, and the calls that it makes. `content` is the folder that its words come from, if not this project. */
export function watchLandingPage(page: Page, content?: string) {
  const calls: string[] = [];
  const logs: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    if (request.url().startsWith(functionUrl)) calls.push('welcome');
    if (request.url().startsWith(tableUrl)) calls.push('entry');
  });
  page.on('console', (message) => logs.push(`${message.type()}: ${message.text()}`));
  const forms = page.locator('form[method=post]');
  const hero = findForm(forms.nth(0), content);
  const success = page.getByRole('dialog', { name: readWords('success', content).heading, exact: true });

  /** Answers the calls in place of the backend. */
  async function fake({
    welcome = (route) => reply(route, 200, '{"accepted":true}'),
    entry = (route) => reply(route, 201, ''),
  }: Partial<Record<'welcome' | 'entry', (route: Route) => Promise<unknown>>>): Promise<void> {
    const answer = (work: typeof welcome) => (route: Route) =>
      route.request().method() === 'OPTIONS' ? reply(route, 200, '') : work(route);
    await page.route(functionUrl, answer(welcome));
    await page.route(`${tableUrl}*`, answer(entry));
  }

  return {
    calls,
    logs,
    hero,
    waitlist: findForm(forms.nth(1), content),
    menu: findMenu(page, content),
    success,
    fake,

    open: (path = '/') => page.goto(path),

    /** Signs up with the first form. */
    async join(address = 'visitor@example.org'): Promise<void> {
      await hero.submit(address);
      await expect(success).toBeVisible();
    },

    /** Waits until `count` forms are hydrated. */
    expectAwake: (count = 1) =>
      expect(page.locator('astro-island:not([ssr]) form[method=post]')).toHaveCount(count),

    /** Waits for the calls of all sign-ups so far: the success modal does not wait for a slow entry. */
    expectCalls: (...expected: ('welcome' | 'entry')[]) => expect.poll(() => calls).toEqual(expected),

    /** Expects no error in the console so far. */
    expectNoError: () => expect(logs.filter((line) => line.startsWith('error'))).toEqual([]),

    /** Finds a section by its heading. */
    section: (heading: string) => page.getByRole('region', { name: heading, exact: true }),

    /** Accepts all sign-ups, but only when the returned function is called. */
    async holdAnswers(): Promise<() => void> {
      const gate = Promise.withResolvers<void>();
      await fake({ welcome: async (route) => (await gate.promise, reply(route, 200, '{}')) });
      return gate.resolve;
    },
  };
}

/** A test of the landing page, which fails when the policy blocks anything that the browser reports to a page or to the console. */
export const test = base.extend<{ landing: LandingPage; violations: void }>({
  landing: ({ page }, use) => use(watchLandingPage(page)),
  violations: [
    async ({ page }, use) => {
      const violations: string[] = [];
      page.on('console', (message) => {
        if (/content security policy|securitypolicyviolation|trusted ?type/i.test(message.text())) {
          violations.push(message.text());
        }
      });
      await page.addInitScript(() =>
        addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
          console.error('securitypolicyviolation', effectiveDirective, blockedURI, sample),
        ),
      );
      await use();
      expect(violations).toEqual([]);
    },
    { auto: true },
  ],
});

export const scripts = /\/_astro\/.*\.js/;

/** Holds the scripts of a page back until they are released, and records the URLs of those that it requests. */
export async function holdScripts(page: Page) {
  const urls: string[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    urls.push(route.request().url());
    await gate.promise;
    await route.continue();
  });
  return { urls, release: () => gate.resolve() };
}

/** Answers a mocked call with the backend's CORS headers. */
export function reply(route: Route, status: number, body: string): Promise<void> {
  return route.fulfill({ status, headers: cors, contentType: 'application/json', body });
}

/** Returns an address that no other test uses. */
export function makeAddress(name = 'visitor'): string {
  return `${name}-${crypto.randomUUID()}@example.org`;
}

/** Waits for messages to an address, and reads them from the inbox. */
export async function readMessages(address: string): Promise<Record<string, string>[]> {
  const read = async () => {
    const response = await fetch(`http://127.0.0.1:${port('INBOX_PORT')}/emails`);
    const { data } = (await response.json()) as { data: ({ to: string[] } & Record<string, string>)[] };
    return data.filter(({ to }) => to.includes(address));
  };
  await expect.poll(read, { timeout: 20_000 }).not.toEqual([]);
  return read();
}

/** Reads the rows of an address from the database. */
export async function readEntries(address: string) {
  const sql = postgres(`postgres://postgres:postgres@127.0.0.1:${port('DB_PORT')}/postgres`, { max: 1 });
  try {
    return await sql`select email, created_at, source from waitlist_emails where email = ${address}`;
  } finally {
    await sql.end();
  }
}
