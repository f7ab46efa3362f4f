import { describe, expect, it } from 'vitest';
import { fillFacts } from '~/facts.ts';
import { figures, site } from '~/site.ts';

describe('a text with facts', () => {
  it('gets their values', () => {
    expect(fillFacts('{app}: {freeShare}')).toBe(`${site.name}: ${figures.freeShare}`);
  });

  it('is refused when it names an unknown one, with the known ones', () => {
    expect(() => fillFacts('{ap}')).toThrow(/no fact \{ap\}.*\{app\}/);
    expect(() => fillFacts('{constructor}')).toThrow(/no fact/);
  });
});
