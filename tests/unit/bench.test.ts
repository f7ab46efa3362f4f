import { describe, expect, it } from 'vitest';
import { readContent } from '../../bench/content.ts';
import { writePage } from '../../bench/hand-written/page.ts';
import { findMedian } from '../../bench/medians.ts';

describe('the benchmark', () => {
  it('can still read every word of the landing page, and fills in the facts', () => {
    const content = readContent();
    expect(content.sections.flatMap(({ items }) => items)).not.toHaveLength(0);
    expect(JSON.stringify(content)).not.toMatch(/[{]\w+[}]|undefined|NaN/);
  });

  it('writes the page beside this site with every section and nothing that runs', () => {
    const content = readContent();
    const page = writePage(
      content,
      { path: '/picture.avif', width: 4, height: 3, alt: 'a "quoted" name' },
      '',
    );
    for (const { id } of content.sections) expect(page).toContain(`<section id="${id}">`);
    expect(page).toContain('alt="a &quot;quoted&quot; name"');
    expect(page).not.toMatch(/<script|\son\w+=/);
  });

  it('takes the middle of what was measured, and leaves out what was not', () => {
    expect(findMedian([9, undefined, 1, 4])).toBe(4);
    expect(findMedian([1, 2])).toBe(1.5);
    expect(findMedian([undefined])).toBeNaN();
  });
});
