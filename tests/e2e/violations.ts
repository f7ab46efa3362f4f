import type { Page } from '@playwright/test';

/** Records everything that the policy blocks and that the browser reports to the page or to the console. */
export async function watchViolations(page: Page): Promise<string[]> {
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
  return violations;
}
