import { figures, site } from './site.ts';

/** The facts that an editor may use in curly brackets, in any file below content/. */
export const facts: Record<string, string> = {
  app: site.name,
  independenceNotice: site.independenceNotice,
  ...figures,
};

/** The values of the facts. In curly brackets, such a value is another figure that happens to look the same. */
const values = Object.values(facts);

/** Replaces `{app}` and the other facts in a text. Unknown names stay as typed. */
export function fillFacts(text: string): string {
  return text.replace(/(?<!\{)\{\s*([^{}]*?)\s*\}(?!\})/g, (typed, name: string) => {
    if (Object.hasOwn(facts, name)) return facts[name]!;
    return values.includes(name) ? name : typed;
  });
}
