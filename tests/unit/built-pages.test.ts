import { describe, expect, it } from 'vitest';
import { arrange } from '~/build/finished-pages/integration.ts';

const page = (body: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;

describe('the styles of a page', () => {
  it('move from attributes to classes of one style sheet, with one class for equal styles', () => {
    const html = page(
      '<p style="margin:0">a</p><b id="b" class="lit" style="margin:0">b</b><i style="color:red">c</i>',
    );
    const moved = arrange(html);
    expect(moved).toContain('<style>.style-1:not(#_){margin:0}.style-2:not(#_){color:red}</style></head>');
    expect(moved).toContain(
      '<p class="style-1">a</p><b id="b" class="lit style-1">b</b><i class="style-2">c</i>',
    );
  });

  it('move to the head from style sheets in the body', () => {
    const html = page('<div><style>a{color:red}</style>text</div>', '<style>b{color:red}</style>');
    expect(arrange(html)).toBe(
      page('<div>text</div>', '<style>b{color:red}</style><style>a{color:red}</style>'),
    );
  });

  it('replace the table attributes that HTML has dropped, and no others', () => {
    const html = page(
      '<table width="100%" cellSpacing="0" class="t" style="color:red">' +
        '<tbody><tr><td align="center" width="12"><img src="a" width="2" style="margin:0"></td></tr></tbody></table>',
    );
    const moved = arrange(html);
    expect(moved).toContain(
      '<table class="t style-1"><tbody><tr><td class="style-2"><img src="a" width="2" class="style-3"></td>',
    );
    expect(moved).toContain('.style-1:not(#_){width:100%;border-spacing:0px;color:red}');
    expect(moved).toContain('.style-2:not(#_){text-align:-webkit-center;width:12px;}');
  });
});

describe('the scripts of a page', () => {
  it('move to the end of the page if they hydrate islands, in order', () => {
    const html = page(
      '<div>a<script>wake()</script><script>go()</script><astro-island>b</astro-island></div>c',
    );
    expect(arrange(html)).toBe(
      page('<div>a<astro-island>b</astro-island></div>c<script>wake()</script><script>go()</script>'),
    );
  });

  it.each([
    ['when they change the page before its first paint', '<p>a</p><script>show()</script><p>b</p>'],
    ['when they contain data', '<script type="application/ld+json">{}</script><astro-island></astro-island>'],
    ['on a page without islands', '<p>a</p>'],
  ])('do not move %s', (_, body) => {
    expect(arrange(page(body, '<script>first()</script>'))).toBe(page(body, '<script>first()</script>'));
  });
});

const island = (attributes: string) => page(`<astro-island ${attributes}><p>a</p></astro-island>`);

describe('the scripts of an island', () => {
  const urls = 'component-url="/_astro/Form.js" renderer-url="/_astro/client.js"';

  it('are listed once each, without the two that Astro requests itself', () => {
    const imports = {
      '_astro/Form.js': ['_astro/waitlist.js', '_astro/shared.js'],
      '_astro/client.js': ['_astro/shared.js', '_astro/dom.js'],
      '_astro/shared.js': ['_astro/site.js'],
      '_astro/waitlist.js': ['_astro/site.js'],
      '_astro/site.js': ['_astro/shared.js'],
      '_astro/other.js': ['_astro/more.js'],
    };
    const scripts = 'data-scripts="/_astro/waitlist.js /_astro/site.js /_astro/shared.js /_astro/dom.js"';
    expect(arrange(island(urls), imports)).toBe(island(`${scripts} ${urls}`));
  });

  it('are not listed when there are none', () => {
    expect(arrange(island(urls), { '_astro/Form.js': [] })).toBe(island(urls));
    expect(arrange(page('<p>a</p>'), {})).toBe(page('<p>a</p>'));
  });
});

it('everything else stays as Astro wrote it', () => {
  const html = page(
    '<p  class=a >style="margin:0"</p><p data-astro-cid-w5lass7s class="plain" title="“a” &amp; b">é — 😀</p>' +
      '<astro-island uid="1pwW91" props="{&quot;a&quot;:[0,1]}" ssr await-children>a<!--astro:end--></astro-island>',
    '<style>.added[data-astro-cid-w5lass7s]{font-family:"Signs-a823a0e89df06601"}</style>',
  );
  expect(arrange(html)).toBe(html);
});
