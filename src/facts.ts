import { figures, site } from './site.ts';

/** What an editor may name in curly brackets, in any file below content/. */
export const facts: Record<string, string> = {
  app: site.name,
  independenceNotice: site.independenceNotice,
  ...figures,
};

/** The values of facts. In curly brackets they stand for themselves: another figure that reads the same. */
const values = Object.values(facts);

/** Replaces `{app}` and the other facts in a text. What is no fact stays as it is typed. */
export function fillFacts(text: string): string {
  return text.replace(/(?<!\{)\{\s*([^{}]*?)\s*\}(?!\})/g, (typed, name: string) => {
    if (Object.hasOwn(facts, name)) return facts[name]!;
    return values.includes(name) ? name : typed;
  });
}
