import { figures, site, social } from '../config/site.ts';

/** The facts that an editor may use in curly brackets, in any file below content/. */
export const facts: Record<string, string> = {
  app: site.name,
  independenceNotice: site.independenceNotice,
  discord: social.discord.link,
  ...figures,
};

/** A figure, perhaps with a unit: `7`, `4.5 %`, `7-day`. Curly brackets mark one that is not a fact of the site. */
const figure = /^\d[\p{L}\d\s.,%–—/-]*\+?$/u;

/** Replaces `{app}` and the other facts in a text, and shows `{7-day}` without its brackets. Unknown names and `${app}` stay as typed. */
export function fillFacts(text: string): string {
  return text.replace(/(\$?)(?<!\{)\{\s*([^{}]*?)\s*\}(?!\})/g, (typed, dollar: string, name: string) => {
    if (Object.hasOwn(facts, name)) return dollar ? typed : facts[name]!;
    return figure.test(name) ? dollar + name : typed;
  });
}
