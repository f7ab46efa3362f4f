import type { FileProblem } from './problem.ts';

/** The facts of the site. They are code, but owners and editors change the words between the quotes. */
export const siteFile = 'src/config/site.ts';

const share = /^\d+([.,]\d+)?\s?%$/;

/** Lists facts that are empty, and shares that are no percentage. */
export function checkSite(code: string): FileProblem[] {
  return [...code.matchAll(/(\w+):\s*(["'`])(.*?)\2/g)].flatMap(({ 1: name = '', 3: value = '', index }) => {
    const line = countLines(code.slice(0, index));
    const mistake = { file: siteFile, line, typed: name };
    if (!value.trim())
      return { ...mistake, message: `${name} is empty. Write its words between the quotes.` };
    if (!/^(free|premium)Share$/.test(name) || share.test(value)) return [];
    return { ...mistake, message: `${name} must be a percentage, such as 85% or 87.5%.` };
  });
}

/**
 * Explains why the facts could not be loaded.
 *
 * @param error What Node reported. It names the line of a word without quotes, which a parser takes for a name.
 * @returns `undefined` when the cause is somewhere else.
 */
export async function explainSite(code: string, error: Error): Promise<FileProblem | undefined> {
  const { default: typescript } = await import('typescript');
  const [first] = typescript.transpileModule(code, { reportDiagnostics: true }).diagnostics ?? [];
  const line = first
    ? // A lost comma is noticed at the next line.
      countLines(code.slice(0, first.start).trimEnd())
    : Number(/\/src\/config\/site\.ts:(\d+)/.exec(error.stack ?? '')?.[1]);
  const message =
    'This line cannot be read. Put the words between straight quotes of the same kind, or in "double quotes" when they contain an apostrophe, and a comma after them.';
  return line ? { file: siteFile, line, message } : undefined;
}

function countLines(text: string): number {
  return text.split('\n').length;
}
