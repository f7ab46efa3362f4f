/**
 * The `ref` of an island's element. It tells `client:intent` that React handles the island's events from now on: Astro's
 * own event comes before that.
 */
export function announceHydration(element: HTMLElement | null): void {
  element?.dispatchEvent(new Event('hydrated', { bubbles: true }));
}
