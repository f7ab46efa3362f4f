import { facts } from '../facts.ts';
import type { Problem } from './problem.ts';

/** The facts, and how somebody may type their values. */
const values = Object.entries(facts)
  // A number with two digits can mean anything.
  .filter(([, value]) => value.length > 2)
  .map(([name, value]) => {
    // Also as 30-days, but not as a part of another figure, and not in curly brackets.
    const spelled = value.split(/[\s-]/).map(RegExp.escape).join('[\\s–-]');
    const edge = String.raw`(?<![\p{L}\d{$€£/@.,])${spelled}(?![\p{L}\d@}]|[.,]\d)`;
    return { name, pattern: new RegExp(edge, 'giu') };
  });

/** Warns about words that are the value of a fact, which would stay when the fact changes. */
export function findTypedFacts(words: string, line: number): Problem[] {
  return values.flatMap(({ pattern, name }) =>
    [...words.matchAll(pattern)].map(([typed]) => ({
      line,
      isWarning: true,
      message: `"${typed}" is defined once for the whole site. Write {${name}}, so that it changes with it, or {${typed}} for another figure.`,
    })),
  );
}
