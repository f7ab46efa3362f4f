import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

/** Lists what is cut off, covered, at the edge of the screen, or wider than it. */
export function findFaults(page: Page, part = 'body'): Promise<string[]> {
  return page.evaluate((selector) => {
    const width = document.documentElement.clientWidth;
    const scrollWidth = document.scrollingElement!.scrollWidth;
    const faults = scrollWidth > width ? [`the page is ${scrollWidth} px wide`] : [];
    const walker = document.createTreeWalker(document.querySelector(selector)!, NodeFilter.SHOW_TEXT);
    const lines: { words: string; block: Element; box: DOMRect }[] = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement!;
      const typed = walker.currentNode.textContent!.trim();
      const words = typed && `${parent.localName}.${parent.className} “${typed.slice(0, 40)}”`;
      const isHidden = !parent.checkVisibility() || parent.closest('.visually-hidden, svg');
      // An arrow on phones, whose words only screen readers get.
      if (!words || isHidden || getComputedStyle(parent).fontSize === '0px') continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
      let block = parent;
      while (getComputedStyle(block).display.startsWith('inline') && block.parentElement)
        block = block.parentElement;
      for (const box of boxes) {
        lines.push({ words, block, box });
        if (box.left < 4 || box.right > width - 4) faults.push(`at the edge of the screen: ${words}`);
      }
      for (
        let around: Element | null = parent;
        around && around !== document.body;
        around = around.parentElement
      ) {
        const { overflowX, overflowY } = getComputedStyle(around);
        if (overflowY === 'auto' || overflowY === 'scroll') break;
        const edge = around.getBoundingClientRect();
        const isBox = around.matches('.action, button, summary, li, td, figcaption');
        const isCut = boxes.some((box) => box.left < edge.left - 1 || box.right > edge.right + 1);
        const isCutBelow = boxes.some((box) => box.top < edge.top - 4 || box.bottom > edge.bottom + 4);
        if (isCut && (overflowX !== 'visible' || isBox))
          faults.push(`cut off by ${around.tagName}.${around.className}: ${words}`);
        if (isCutBelow && (overflowY !== 'visible' || isBox))
          faults.push(`cut off below by ${around.tagName}.${around.className}: ${words}`);
      }
    }
    lines.sort((one, other) => one.box.top - other.box.top);
    for (const [index, one] of lines.entries()) {
      for (const other of lines.slice(index + 1)) {
        if (other.box.top >= one.box.bottom) break;
        const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
        if (down <= 0.3 * Math.min(one.box.height, other.box.height)) continue;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        if (across > 1 && !one.block.contains(other.block) && !other.block.contains(one.block))
          faults.push(`overlapping: ${one.words} | ${other.words}`);
      }
    }
    return [...new Set(faults)];
  }, part);
}

const everyRule: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const rulesOfLook: axe.RunOnly = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'],
};

/** Adds axe to every document that a page opens. */
export function addAxe(page: Page): Promise<unknown> {
  return page.addInitScript({ path: fileURLToPath(import.meta.resolve('axe-core/axe.min.js')) });
}

/**
 * Lists axe's violations, each with its rule and element: of every rule, or only of those that depend on widths and colors. Axe
 * cannot measure contrast on background images; tests/pages/accessibility.spec.ts does that.
 */
export function findViolations(page: Page, part?: string, isLook = false): Promise<string[]> {
  const options: axe.RunOptions = {
    runOnly: isLook ? rulesOfLook : everyRule,
    rules: { 'label-content-name-mismatch': { enabled: true } }, // Voice control looks for the visible name.
    resultTypes: ['violations'],
  };
  return page.evaluate(
    async ([context, options]) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      const { violations } = await run(context ?? document, options);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    [part, options] as const,
  );
}
