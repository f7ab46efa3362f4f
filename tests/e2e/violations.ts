import { test as base, expect } from '@playwright/test';

/** A test that fails when the policy blocks anything that the browser reports to the page or to the console. */
export const test = base.extend<{ violations: void }>({
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
