import type { FileProblem } from './problem.ts';

/** The facts of the site. They are code, but owners and editors change the words between the quotes. */
export const siteFile = 'src/config/site.ts';

/** Lists facts with unsuitable words, and those that are missing although texts must mention them. */
export function checkSite(code: string, needed: string[]): FileProblem[] {
  const missing = needed.filter((name) => !code.includes(`${name.slice(1, -1)}:`));
  const problems = missing.map((name) => {
    return { file: siteFile, line: 1, message: `Texts need ${name}, but there is no such fact. Restore it.` };
  });
  const values = code.matchAll(/(\w+)(?::| =)\s*(?:(["'`])(.*?)\2|(?<= )\d)/g);
  for (const { 1: name = '', 3: words = '', index } of values) {
    const message = explainFact(name, words.trim());
    const line = code.slice(0, index).split('\n').length;
    if (message) problems.push({ file: siteFile, line, message: `${name} ${message}` });
  }
  return problems;
}

function explainFact(name: string, words: string): string | undefined {
  if (!words) return 'must have words between quotes.';
  if (/^(free|premium)Share$/.test(name) && !/^\d+([.,]\d+)?\s?%$/.test(words))
    return 'must be a percentage, such as 85% or 87.5%.';
  const isLink = /^(link|alternative)$/.test(name);
  return isLink && !/^(https:\/\/|\/|#)./.test(words) ? 'must begin with https://.' : undefined;
}

/** Explains why the facts could not be loaded, by what Node reported; `undefined` when the cause is somewhere else. */
export function explainSite({ stack = '' }: Error): FileProblem | undefined {
  const [, line] = /\/src\/config\/site\.ts\?\S*?:(\d+)/.exec(stack) ?? [];
  const message =
    'This line, or the one above it, cannot be read. Put the words between straight quotes of the same kind, or in "double quotes" when they contain an apostrophe, and a comma after them.';
  return line ? { file: siteFile, line: Number(line), message } : undefined;
}

/** Puts the words of each fact in quotes again, wherever an editor lost one, so that their texts can be checked. */
export function repairSite(code: string): string {
  return code.replace(
    /^( +\w+:|const \w+ =) *["'‘’“”]?([^\s{["'`‘’“”].*?)["'‘’“”]?[,;]?$/gm,
    (_, name: string, words: string) => `${name} ${JSON.stringify(words)}${name.endsWith(':') ? ',' : ';'}`,
  );
}
