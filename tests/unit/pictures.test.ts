import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pictureFiles } from '~/pictures/files.tsx';

describe('the pictures', () => {
  it.each(Object.values(pictureFiles))('$path has a rule for every class, and no open colour', ({ svg }) => {
    const style = [...svg.matchAll(/<style>([^<]*)<\/style>/g)].map(([, rules]) => rules).join('');
    const classes = new Set([...svg.matchAll(/class="([^"]+)"/g)].map(([, name]) => name));
    const moved = ['drop', 'mark-of-drop'];
    for (const name of classes) {
      if (!moved.includes(name ?? ''))
        expect(style).toMatch(new RegExp(`\\.${name}\\b[^{]*\\{[^}]*(fill|stroke|stop-color):`));
    }
    expect(svg).not.toContain('var(');
    expect(svg).not.toContain('undefined');
  });

  it('are drawn with tokens alone', () => {
    const sources = globSync('src/{pictures,sections,components,layouts}/**/*.{tsx,astro,css}', {
      cwd: resolve(import.meta.dirname, '../..'),
    });
    const raw = sources.filter((file) => /#[0-9a-f]{3,8}\b(?![^(]*\))/i.test(readFileSync(file, 'utf8')));
    expect(raw).toEqual([]);
  });
});
