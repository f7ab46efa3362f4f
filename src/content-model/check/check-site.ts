import type { LoadHookSync } from 'node:module';
import type { FileProblem } from './problem.ts';

/** The facts of the site. They are code, but owners and editors change the words between the quotes. */
export const siteFile = 'src/config/site.ts';

/** What the words of a fact must be, by its name. */
const rules: [names: RegExp, form: RegExp, message: string][] = [
  [/./, /\S/, 'must have words between quotes.'],
  [/^(free|premium)Share$/, /^\d+([.,]\d+)?\s?%$/, 'must be a percentage, such as 85% or 87.5%.'],
  [/^(link|alternative)$/, /^(https:\/\/|\/|#)./, 'must begin with https://.'],
];

/** Lists facts with unsuitable words, and those that are missing although texts must mention them. */
export function checkSite(code: string, needed: string[]): FileProblem[] {
  const missing = needed.filter((name) => !code.includes(`${name.slice(1, -1)}:`));
  const problems = missing.map((name) => {
    return { file: siteFile, line: 1, message: `Texts need ${name}, but there is no such fact. Restore it.` };
  });
  const values = code.matchAll(/(\w+)(?::| =)\s*(?:(["'`])(.*?)\2|(?<= )\d)/g);
  for (const { 1: name = '', 3: words = '', index } of values) {
    const broken = rules.find(([names, form]) => names.test(name) && !form.test(words.trim()));
    const line = code.slice(0, index).split('\n').length;
    if (broken) problems.push({ file: siteFile, line, message: `${name} ${broken[2]}` });
  }
  return problems;
}

/** Explains why the facts could not be loaded, by what Node reported; `undefined` when the cause is somewhere else. */
export function explainSite({ stack = '' }: Error): FileProblem | undefined {
  const [, line] = /\/src\/config\/site\.ts\?\S*?:(\d+)/.exec(stack) ?? [];
  const message =
    'This line, or the one above it, cannot be read. Put the words between straight quotes of the same kind, or in "double quotes" when they contain an apostrophe, and a comma after them.';
  return line ? { file: siteFile, line: Number(line), message } : undefined;
}

/** Puts the words of each fact in quotes again, wherever an editor lost one, so that the check can load the facts. */
export const repairSite: LoadHookSync = (url, context, load) => {
  const loaded = load(url, context);
  if (!url.endsWith(siteFile)) return loaded;
  const source = String(loaded.source).replace(
    /^( +\w+:|const \w+ =) *["'‘’“”]?([^\s{["'`‘’“”].*?)["'‘’“”]?[,;]?$/gm,
    (_, name: string, words: string) => `${name} ${JSON.stringify(words)}${name.endsWith(':') ? ',' : ';'}`,
  );
  return { ...loaded, source };
};
