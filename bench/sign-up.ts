import type { Locator } from '@playwright/test';
import type { Phone } from './phone.ts';
import type { Site } from './server.ts';
import { type Bytes, Traffic } from './traffic.ts';

const KEY_PAUSE = 150; // milliseconds from key to key: somebody who types fast on a phone
const PATIENCE = 30_000; // milliseconds until a submit counts as lost
const address = 'name.surname@example.org';

/** How one sign-up went. Times in milliseconds. */
export interface SignUp {
  /** From the tap on the button until the address leaves the phone. */
  handled: number | undefined;
  /** From the tap on the button until the page says that it worked. */
  confirmed: number | undefined;
  /** 1 when the address never reached the backend. */
  lost: number;
  /** Everything fetched by then. */
  bytes: Bytes;
}

/**
 * Signs up on slow 4G as somebody in a hurry: taps the field as soon as it is there, types, taps the button once.
 * `confirmation` are the words that say it worked.
 */
export function measureSignUp(phone: Phone, site: Site, confirmation: string): Promise<SignUp> {
  return phone.visit(
    async ({ page, devtools }) => {
      const traffic = new Traffic(devtools);
      let sentAt: number | undefined;
      devtools.on('Network.requestWillBeSent', ({ request, wallTime }) => {
        if (request.method === 'POST') sentAt ??= wallTime * 1_000;
      });
      site.posts.length = 0;
      await page.goto(site.url, { waitUntil: 'commit', timeout: 60_000 });
      const form = page.locator('form:has(input[type=email])').first();
      const tap = async (target: Locator) => {
        const { x, y, width, height } = (await target.boundingBox())!;
        await page.touchscreen.tap(x + width / 2, y + height / 2);
      };
      await form.waitFor();
      await tap(form.locator('input[type=email]'));
      await page.keyboard.type(address, { delay: KEY_PAUSE });
      const tappedAt = Date.now();
      await tap(form.getByRole('button'));
      const confirmed = await page
        .getByText(confirmation)
        .filter({ visible: true })
        .first()
        .waitFor({ timeout: PATIENCE })
        .then(() => Date.now() - tappedAt)
        .catch(() => undefined);
      await traffic.settle();
      return {
        handled: sentAt && sentAt - tappedAt,
        confirmed,
        lost: site.posts.some(carriesAddress) ? 0 : 1,
        bytes: traffic.read(),
      };
    },
    { isSlow: true },
  );
}

function carriesAddress(post: string): boolean {
  return post.includes(address) || post.includes(encodeURIComponent(address));
}
