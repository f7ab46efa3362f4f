import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findMistakes } from '~/content-check/mistakes.ts';
import { knownContent } from '../known-content.ts';
import type { Mistake } from '~/content-check/read-source.ts';

const root = resolve(import.meta.dirname, '../..');

export const payouts = 'content/faq/payouts.mdx';
export const hero = 'content/sections/hero.mdx';
export const terms = 'content/legal/terms-of-use.mdx';
export const privacy = 'content/legal/privacy-policy.mdx';

/** A function that makes a mistake in a copy. */
export type ContentChange = (copy: ContentCopy) => void;

/** A copy of the files that the content check reads, for tests to break. */
export class ContentCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'waitlist-content-'));

  constructor() {
    for (const source of ['content', 'public', 'src/pages']) {
      cpSync(join(root, source), join(this.folder, source), { recursive: true });
    }
    for (const [file, text] of Object.entries(knownContent)) this.write(file, text);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  write(file: string, text: string | Buffer): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /** Adds a paragraph at the end. */
  add(file: string, text: string): void {
    this.write(file, `${this.read(file).trimEnd()}\n\n${text}\n`);
  }

  /** Replaces a part of a file. Throws an Error when the file does not contain it. */
  edit(file: string, from: string | RegExp, to: string | (() => string)): void {
    const changed = this.read(file).replace(from, to as string);
    if (changed === this.read(file)) throw new Error(`${file} does not contain ${from}`);
    this.write(file, changed);
  }

  /** Replaces the text below the fields. */
  setText(file: string, text: string): void {
    const [fields] = /^---\n[^]*?\n---\n/.exec(this.read(file)) ?? [''];
    this.write(file, `${fields}\n${text}\n`);
  }

  rename(file: string, to: string): void {
    renameSync(join(this.folder, file), join(this.folder, to));
  }

  delete(path: string): void {
    rmSync(join(this.folder, path), { recursive: true });
  }

  findMistakes(): Mistake[] {
    return findMistakes(this.folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Checks texts, each as the last paragraph of an answer. It begins at line 8. */
export function checkAnswers(texts: string[]): string[][] {
  const fields = (index: number) => `---\norder: ${index + 10}\nquestion: What is ${index}?\n---`;
  return checkFiles(
    'content/faq',
    (typed, index) => `${fields(index)}\n\nYou can wait for it.\n\n${typed}\n`,
    texts,
  );
}

interface Way {
  /** Matches the words that offer it, with what to write as a group. */
  offer: RegExp;
  follow: (typed: string, offered: string) => string;
}

/** What an editor writes when following a message. */
const ways: Record<string, Way> = {
  backticks: { offer: /put it in (backticks)/, follow: (typed) => `\`${typed}\`` },
  prefix: { offer: /Write (\S+) in front of it/, follow: (typed, offered) => offered + typed },
  backslashes: { offer: /the symbols in .+ Write (.+)\.$/, follow: (_, offered) => offered },
  encryption: {
    offer: /Write (https:\/\/) instead of http/,
    follow: (typed) => typed.replace('http:', 'https:'),
  },
  another: {
    offer: /(?:If you mean another figure|To show it), write (.+)\.$/,
    follow: (_, offered) => offered,
  },
  correction: {
    offer:
      /(?:Did you mean|Write) (?!\S*(?:words|\*|\[))(\S+(?: \/>)?)(?: years|\+| or older)?(?: in a text)?(?: instead)?[.?](?: |$)/,
    follow: (_, offered) => offered,
  },
  'plain words': {
    offer: /A field is (plain words), without bold, links or code\./,
    follow: (typed) => typed.match(/[\p{L}\d]+/gu)?.join(' ') ?? '',
  },
};

/** Matches advice that says what to type, and not only of what kind it is. */
const exact = /Did you mean|put it in backticks|[Ww]rite (?!an? |its |them |the real |\S*(?:words|\*|\[))/;

/** What a message is about. */
const subject =
  /^\d+ {2}(?:Visitors would (?:not )?see (?:the symbols in )?|There is no \w+ |The page \S+ has no section |")?(\S.*?)(?:" is defined| as typed\.| does not| says|\. (?:Write|Did)| is not| works)/;

/**
 * Does to answers, or to what else `check` takes, what the messages about them suggest, one way at a time.
 *
 * @returns The ways that were followed, and what is still wrong: answers that a way does not change, those that have
 * mistakes afterwards, and those whose advice is none of the ways.
 */
export function followAdvice(texts: string[], check = checkAnswers): { followed: string[]; wrong: string[] } {
  const all = check(texts).map((messages, index) => ({
    typed: texts[index]!,
    answer: texts[index]!,
    messages,
  }));
  const offers = ({ messages }: { messages: string[] }, { offer }: Way) =>
    messages.some((message) => offer.test(message));
  const tried = Object.entries(ways).map(([name, way]) => {
    let cases = all.filter((one) => offers(one, way));
    // Both tags of a pair are typed, and one message is about both.
    for (let round = 0; round < 2; round += 1) {
      const answers = cases.map(({ answer, messages }) =>
        messages.reduce((changed, message) => followOne(way, changed, message), answer),
      );
      const found = check(answers);
      cases = cases.map(({ typed }, index) => ({ typed, answer: answers[index]!, messages: found[index]! }));
    }
    return { name, cases };
  });
  const untried = all.filter(
    (one) =>
      one.messages.some((message) => exact.test(message)) &&
      !Object.values(ways).some((way) => offers(one, way)),
  );
  return {
    followed: tried.filter(({ cases }) => cases.length > 0).map(({ name }) => name),
    wrong: [
      ...tried
        .flatMap(({ cases }) => cases)
        .filter(({ typed, answer, messages }) => answer === typed || messages.length > 0),
      ...untried,
    ].map(({ answer, messages }) => [answer, ...messages].join('\n')),
  };
}

function followOne({ offer, follow }: Way, answer: string, message: string): string {
  const [, typed] = subject.exec(message) ?? [];
  const [, offered] = offer.exec(message) ?? [];
  if (!typed || !offered) return answer;
  const part = RegExp.escape(typed);
  return answer.replace(new RegExp(`(?<!\`)${part}|${part}(?!\`)`), () => follow(typed, offered));
}

/**
 * Checks files that differ in one place, all at once.
 *
 * @returns The messages for each: `line  message`.
 */
export function checkFiles(
  folder: string,
  write: (typed: string, index: number) => string,
  all: string[],
): string[][] {
  const copy = new ContentCopy();
  const nameOf = (index: number) => `${folder}/case-${index}.mdx`;
  all.forEach((typed, index) => copy.write(nameOf(index), write(typed, index)));
  const mistakes = copy.findMistakes();
  copy.remove();
  return all.map((_, index) =>
    mistakes.filter(({ file }) => file === nameOf(index)).map(({ line, message }) => `${line}  ${message}`),
  );
}
