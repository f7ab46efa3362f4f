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

/** One of the two forms of the landing page. */
export class Form {
  readonly root: Locator;
  readonly field: Locator;
  readonly button: Locator;

  constructor(root: Locator, content?: string) {
    this.root = root;
    this.field = root.getByRole('textbox', { name: readWords('waitlistForm', content).label, exact: true });
    this.button = root.getByRole('button');
  }

  async submit(address: string): Promise<void> {
    await this.field.fill(address);
    await this.button.click();
  }
}

/** The menu of the landing page. */
export class Menu {
  readonly trigger: Locator;
  readonly dialog: Locator;
  readonly close: Locator;

  constructor(page: Page, content?: string) {
    const { open, heading, close } = readWords('navigation', content);
    this.trigger = page.getByRole('button', { name: open, exact: true });
    this.dialog = page.getByRole('dialog', { name: heading, exact: true });
    this.close = this.dialog.getByRole('button', { name: close, exact: true });
  }

  async open(): Promise<void> {
    await this.trigger.click();
    await expect(this.dialog).toBeVisible();
  }

  link(label: string): Locator {
    return this.dialog.getByRole('link', { name: label, exact: true });
  }
}

/** The landing page as a visitor sees it, and the calls that it makes. */
export class LandingPage {
  readonly calls: string[] = [];
  readonly logs: string[] = [];
  readonly hero: Form;
  readonly waitlist: Form;
  readonly menu: Menu;
  readonly success: Locator;
  readonly page: Page;

  /** `content` is the folder that its words come from, if not this project. */
  constructor(page: Page, content?: string) {
    this.page = page;
    this.hero = new Form(page.locator('form[method=post]').nth(0), content);
    this.waitlist = new Form(page.locator('form[method=post]').nth(1), content);
    this.menu = new Menu(page, content);
    this.success = page.getByRole('dialog', { name: readWords('success', content).heading, exact: true });
    page.on('request', (request) => {
      if (request.method() !== 'POST') return;
      if (request.url().startsWith(functionUrl)) this.calls.push('welcome');
      if (request.url().startsWith(tableUrl)) this.calls.push('entry');
    });
    page.on('console', (message) => this.logs.push(`${message.type()}: ${message.text()}`));
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(path);
  }

  /** Signs up with the first form. */
  async join(address = 'visitor@example.org'): Promise<void> {
    await this.hero.submit(address);
    await expect(this.success).toBeVisible();
  }

  /** Waits until `count` forms are hydrated. */
  async expectAwake(count = 1): Promise<void> {
    await expect(this.page.locator('astro-island:not([ssr]) form[method=post]')).toHaveCount(count);
  }

  /** The errors in the console so far. */
  get errors(): string[] {
    return this.logs.filter((line) => line.startsWith('error'));
  }

  /** Waits for the calls of all sign-ups so far: the success modal does not wait for a slow entry. */
  async expectCalls(...calls: ('welcome' | 'entry')[]): Promise<void> {
    await expect.poll(() => this.calls).toEqual(calls);
  }

  /** A section, by its heading. */
  section(heading: string): Locator {
    return this.page.getByRole('region', { name: heading, exact: true });
  }

  /** Answers the calls in place of the backend. */
  async fake(answers: {
    welcome?: (route: Route) => Promise<unknown>;
    entry?: (route: Route) => Promise<unknown>;
  }): Promise<void> {
    const answer = (work: (route: Route) => Promise<unknown>) => async (route: Route) => {
      if (route.request().method() === 'OPTIONS') await route.fulfill({ status: 204, headers: cors });
      else await work(route);
    };
    const accept = (route: Route) => reply(route, 200, '{"accepted":true}');
    const insert = (route: Route) => reply(route, 201, '');
    await this.page.route(functionUrl, answer(answers.welcome ?? accept));
    await this.page.route(`${tableUrl}*`, answer(answers.entry ?? insert));
  }

  /** Accepts all sign-ups, but only when the returned function is called. */
  async holdAnswers(): Promise<() => void> {
    const gate = Promise.withResolvers<void>();
    await this.fake({ welcome: async (route) => (await gate.promise, reply(route, 200, '{}')) });
    return gate.resolve;
  }
}

/** A test of the landing page, which fails when the policy blocks anything that the browser reports to a page or to the console. */
export const test = base.extend<{ landing: LandingPage; violations: void }>({
  landing: ({ page }, use) => use(new LandingPage(page)),
  violations: [
    async ({ page }, use) => {
      const violations: string[] = [];
      page.on('console', (message) => {
        if (/content security policy|securitypolicyviolation|trusted ?type/i.test(message.text())) {
          violations.push(message.text());
        }
      });
      await page.addInitScript(() =>
        addEventListener(
          'securitypolicyviolation',
          ({ documentURI, effectiveDirective, blockedURI, sample }) =>
            console.error('securitypolicyviolation', documentURI, effectiveDirective, blockedURI, sample),
        ),
      );
      await use();
      expect(violations).toEqual([]);
    },
    { auto: true },
  ],
});

/** The URLs of scripts. */
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
  await expect.poll(() => fetchMessages(address), { timeout: 20_000 }).not.toEqual([]);
  return fetchMessages(address);
}

async function fetchMessages(address: string): Promise<Record<string, string>[]> {
  const response = await fetch(`http://127.0.0.1:${port('INBOX_PORT')}/emails`);
  const { data } = (await response.json()) as { data: ({ to: string[] } & Record<string, string>)[] };
  return data.filter(({ to }) => to.includes(address));
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
