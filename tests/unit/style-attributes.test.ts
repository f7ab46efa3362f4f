import { expect, it } from 'vitest';
import { moveStyles } from '~/build/headers/style-attributes.ts';

const page = (body: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;

it('styles move from attributes into one style sheet, with one rule for equal styles', () => {
  const html = page(
    '<p style="margin:0">a</p><i style="color:$&amp;">b</i><b id="b" class="lit" style="margin:0">c</b>',
  );
  expect(moveStyles(html)).toBe(
    page(
      '<p data-style="0">a</p><i data-style="1">b</i><b id="b" class="lit" data-style="0">c</b>',
      "<style>[data-style='0']:not(#_){margin:0}[data-style='1']:not(#_){color:$&}</style>",
    ),
  );
});

it('everything else stays as Astro wrote it', () => {
  const html = page(
    '<p  class=a >style="margin:0"</p><p data-astro-cid-w5lass7s class="plain" title="“a” &amp; b">é — 😀</p>' +
      '<astro-island uid="1pwW91" props="{&quot;a&quot;:[0,1]}" ssr await-children>a<!--astro:end--></astro-island>',
    '<style>.added[data-astro-cid-w5lass7s]{font-family:"Signs-a823a0e89df06601"}</style>',
  );
  expect(moveStyles(html)).toBe(html);
});
