import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkContent } from '~/content-model/check/check.ts';
import { formatProblems } from '~/content-model/check/problem.ts';
import { SiteCopy } from '../pages/site-copy.ts';

/** What the content check reads, with words that no editor wrote, for tests to break. */
export class ContentCopy extends SiteCopy {
  constructor() {
    super({ sources: ['public', 'src/pages', 'src/config'], content: 'known' });
  }

  rename(file: string, to: string): void {
    mkdirSync(dirname(join(this.folder, to)), { recursive: true });
    renameSync(join(this.folder, file), join(this.folder, to));
  }

  /** Resolves to the mistakes and the warnings, each as `file:line  message`. */
  async check(): Promise<{ mistakes: string[]; warnings: string[] }> {
    const { mistakes, warnings } = await checkContent(this.folder);
    const format = (found: typeof mistakes) => found.map((one) => formatProblems([one]));
    return { mistakes: format(mistakes), warnings: format(warnings) };
  }
}

/** What an editor may type in a test: the field of a question, the text of an answer, or that of an announcement. */
const places = {
  question: (typed: string, index: number) => `---\norder: ${index + 10}\nquestion: ${typed}\n---\n\nYes.\n`,
  answer: (typed: string, index: number) =>
    `---\norder: ${index + 10}\nquestion: What is ${index}?\n---\n\n${typed}\n`,
  announcement: (typed: string) =>
    `---\nsubject: News\npreview: Read this\n---\n\n[Open it](/)\n\n${typed}\n`,
};

/** Checks what an editor types at a place, each alone. Resolves to each case with its mistakes and warnings as `line  message`. */
export async function checkTyped<Case extends readonly [typed: string, ...more: unknown[]]>(
  place: keyof typeof places,
  cases: readonly Case[],
) {
  const copy = new ContentCopy();
  const folder = place === 'announcement' ? 'content/announcements' : 'content/faq';
  cases.forEach(([typed], index) => copy.write(`${folder}/case-${index}.mdx`, places[place](typed, index)));
  const { mistakes, warnings } = await copy.check();
  copy.remove();
  return cases.map((one, index) => {
    const about = (list: string[]) =>
      list.flatMap((line) => line.split(`${folder}/case-${index}.mdx:`)[1] ?? []);
    return [...one, { mistakes: about(mistakes), warnings: about(warnings) }] as const;
  });
}
