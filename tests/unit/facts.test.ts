import { describe, expect, it } from 'vitest';
import { fillFacts } from '~/facts.ts';
import { figures, site } from '~/site.ts';

describe('a text with facts', () => {
  it('shows the value of each fact', () => {
    expect(fillFacts('{app}: {freeShare}')).toBe(`${site.name}: ${figures.freeShare}`);
  });

  it('keeps unknown names in curly brackets as typed', () => {
    for (const text of ['{ap}', '{constructor}', '{', '{{app}}']) expect(fillFacts(text)).toBe(text);
  });

  it('shows a figure in curly brackets as typed', () => {
    expect(fillFacts(`{${figures.firstCreators}} XP`)).toBe(`${figures.firstCreators} XP`);
  });
});
