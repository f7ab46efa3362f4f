import { expect, it } from 'vitest';
import { arrange } from '~/build/finished-pages/integration.ts';

const page = (body: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;

const shared = '/_astro/shared.js';

it('styles move from attributes to classes of one style sheet, with one class for equal styles', () => {
  const html = page(
    '<p style="margin:0">a</p><b id="b" class="lit" style="margin:0">b</b><i style="color:red">c</i>',
  );
  const moved = arrange(html, shared);
  expect(moved).toContain('<style>.style-1:not(#_){margin:0}.style-2:not(#_){color:red}</style></head>');
  expect(moved).toContain(
    '<p class="style-1">a</p><b id="b" class="lit style-1">b</b><i class="style-2">c</i>',
  );
});

it('table attributes that HTML has dropped become styles, and no others', () => {
  const html = page(
    '<table width="100%" cellSpacing="0" class="t" style="color:red"><tbody><tr><td align="center" width="12"><img src="a" width="2"></td></tr></tbody></table>',
  );
  const moved = arrange(html, shared);
  expect(moved).toContain(
    '<table class="t style-1"><tbody><tr><td class="style-2"><img src="a" width="2"></td>',
  );
  expect(moved).toContain('.style-1:not(#_){width:100%;border-spacing:0px;color:red}');
  expect(moved).toContain('.style-2:not(#_){text-align:-webkit-center;width:12px;}');
});

it('an island names the script that all islands import, and everything else stays as Astro wrote it', () => {
  const html = page(
    '<p  class=a >style="margin:0"</p><p data-astro-cid-w5lass7s class="plain" title="“a” &amp; b">é — 😀</p>' +
      '<astro-island uid="1pwW91" props="{&quot;a&quot;:[0,1]}" ssr await-children>a<!--astro:end--></astro-island>',
    '<style>.added[data-astro-cid-w5lass7s]{font-family:"Signs-a823a0e89df06601"}</style>',
  );
  const named = html.replace('<astro-island', '<astro-island data-shared="/_astro/shared.js"');
  expect(arrange(html, shared)).toBe(named);
});
