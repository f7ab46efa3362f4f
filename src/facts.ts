import { figures, site } from './site.ts';

/** What an editor may name in curly brackets, in any text below content/. */
export const facts: Record<string, string> = {
  app: site.name,
  independenceNotice: site.independenceNotice,
  legalTextsUpdated: site.legalTextsUpdated,
  ...figures,
};

/**
 * Replaces `{app}` and the other facts in a text.
 *
 * @throws Error that names an unknown fact and lists the known ones.
 */
export function fillFacts(text: string): string {
  return text.replace(/\{(\w*)\}/g, (_, name: string) => readFact(name));
}

/** @throws Error that names an unknown fact and lists the known ones. */
export function readFact(name: string): string {
  const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
  if (fact !== undefined) return fact;
  const known = Object.keys(facts).map((known) => `{${known}}`);
  throw new Error(`There is no fact {${name}}. The known ones: ${known.join(', ')}.`);
}
