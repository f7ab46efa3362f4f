import type { FileProblem } from './problem.ts';

/** The facts of the site. They are code, but owners and editors change the words between the quotes. */
export const siteFile = 'src/config/site.ts';

const share = /^\d+([.,]\d+)?\s?%$/;

/** Lists facts that are empty, and shares that are no percentage. */
export function checkSite(code: string): FileProblem[] {
  return [...code.matchAll(/(\w+)(?::| =)\s*(["'`])(.*?)\2/g)].flatMap(
    ({ 1: name = '', 3: value = '', index }) => {
      const place = { file: siteFile, line: code.slice(0, index).split('\n').length };
      if (!value.trim())
        return { ...place, message: `${name} is empty. Write its words between the quotes.` };
      if (!/^(free|premium)Share$/.test(name) || share.test(value)) return [];
      return { ...place, message: `${name} must be a percentage, such as 85% or 87.5%.` };
    },
  );
}

/** Explains why the facts could not be loaded, by what Node reported; `undefined` when the cause is somewhere else. */
export function explainSite({ stack = '' }: Error): FileProblem | undefined {
  const [, line] = /\/src\/config\/site\.ts:(\d+)/.exec(stack) ?? [];
  const message =
    'This line, or the one above it, cannot be read. Put the words between straight quotes of the same kind, or in "double quotes" when they contain an apostrophe, and a comma after them.';
  return line ? { file: siteFile, line: Number(line), message } : undefined;
}
