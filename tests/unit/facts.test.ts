import { describe, expect, it } from 'vitest';
import { fillFacts } from '~/facts.ts';
import { figures, site } from '~/site.ts';

describe('a text with facts', () => {
  it('gets their values', () => {
    expect(fillFacts('{app}: {freeShare}')).toBe(`${site.name}: ${figures.freeShare}`);
  });

  it('keeps what is no fact as it is typed', () => {
    for (const text of ['{ap}', '{constructor}', '{', '{{app}}']) expect(fillFacts(text)).toBe(text);
  });

  it('gets a figure in curly brackets as it is typed', () => {
    expect(fillFacts(`{${figures.firstCreators}} XP`)).toBe(`${figures.firstCreators} XP`);
  });
});
