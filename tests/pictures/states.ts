import type { Page } from '@playwright/test';

/** What can be photographed of the site, in addition to its pages. Found by structure, because words differ between commits. */
export interface State {
  name: string;
  path: string;
  /** Leads from the loaded page to the state. */
  reach?(page: Page): Promise<unknown>;
  /** Whether the backend never answers. */
  isWaiting?: boolean;
}

const signUp = async (page: Page) => {
  const form = page.locator('form[method=post]').first();
  await form.locator('input[type=email]').fill('visitor@example.org');
  await form.locator('button').click();
};

export const states: State[] = [
  { name: 'first sight', path: '/' },
  { name: 'menu', path: '/', reach: (page) => page.locator('header button').first().click() },
  { name: 'question', path: '/', reach: (page) => page.locator('#faq summary').nth(1).click() },
  { name: 'joining', path: '/', reach: signUp, isWaiting: true },
  {
    name: 'joined',
    path: '/',
    reach: async (page) => {
      await signUp(page);
      await page.locator('dialog[open]').waitFor();
    },
  },
  ...['joined', 'address-refused', 'not-joined', 'try-later'].map((outcome) => ({
    name: `${outcome} without scripts`,
    path: `/#${outcome}`,
  })),
  { name: 'left', path: '/leave#left' },
  { name: 'welcome to a name', path: '/welcome/visitor%40example.org' },
  { name: 'welcome to a malformed name', path: '/welcome/%E0%A4%A' },
];
