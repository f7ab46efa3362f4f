import { findNearest } from '../../../shared/nearest.ts';
import { componentNames, wrappingComponent } from '../syntax.ts';
import { facts } from '../facts.ts';
import { placeholders, social } from '../../config/site.ts';
import type { Fault } from './read-source.ts';

/** Where words are: in a field, or in the text of a page or of an email. */
type Place = 'fields' | 'texts' | 'emails';

/** What visitors would see as typed, and what to do about it. */
interface Rule {
  pattern: RegExp;
  advice: string;
  /** The only place that it is about. */
  in?: Place;
}

const factNames = Object.keys(facts);
const elements =
  'a|b|i|p|s|u|br|hr|em|h[1-6]|li|ol|ul|td|th|tr|del|div|img|ins|pre|sub|sup|font|span|table|center|strong|script';

/** What is surely wrong. */
const mistakes: Rule[] = [
  // The name of a reader, as Mailchimp and others fill it in.
  {
    pattern: /\*?\|[A-Z_]{3,}\|\*?|\{\{.*?\}\}/g,
    advice: 'Every member gets the same words, so a message cannot contain a name. Remove it.',
    in: 'emails',
  },
  // An HTML element, a component, or any tag that closes, but not a<b>c.
  {
    pattern: new RegExp(
      String.raw`(?<!\w(?=<\w>))</?(${elements}|${componentNames.join('|')})\b(\s[^<>]*|/?)>|</[a-z][^<>]*>|<[a-z][^<>]*/>`,
      'gi',
    ),
    advice: 'Remove it. Write **bold**, *italic*, [words](/address), and an empty line for a new paragraph.',
  },
  // One word in curly brackets, or a fact without the second bracket.
  {
    pattern: new RegExp(String.raw`\{+\s*[\w-]+\s*\}+|\{+\s*(${factNames.join('|')})\b`, 'g'),
    advice: `The facts are {${factNames.join('}, {')}}.`,
  },
  // A link or a picture that Markdown cannot read.
  {
    pattern: /!?\[[^\]\n]*\]\(\s?(\/|#|https?:|mailto:|tel:)[^)\n]*\)?|!\[[^\]\n]*\]\s?[[(][^\])\n]*[\])]?/g,
    advice: 'A link is [words](/address) and a picture ![what it shows](/file.jpg), without spaces in it.',
  },
  // Formatting where there is none.
  {
    pattern: /\*\*\S[^*\n]*\*\*|`[^`\n]+`|~~\S.*?~~|&(amp|lt|gt|quot|nbsp|hellip|[nm]dash|#\w+);/g,
    advice: 'A field is plain words.',
    in: 'fields',
  },
];

/** What looks like Markdown that failed, or like that of another program. */
const failedMarkdown = [
  // Half of a bold word or of code.
  /(?<!\S)\*\*\S+|\p{L}{3,}[.!?:]?\*\*(?![*\p{L}\d])|~~|`/gu,
  // Two lines that begin like items of a list.
  /^\s*([•·●▪‣*–-]|\d+[.)])\s?(?=\p{L}).*\n\s*(\1|\d+[.)])\s?\p{L}.*/gmu,
  // A link with a space in the middle, or a footnote.
  /\] ?[([](?=[/#]|https?:).*|\[\^\w+\]|\[\[.*?\]\]/g,
  // Any other curly or angle bracket.
  /[{}][^{}\n]*\}?|(?<!\w)<[a-z@#!][^<>\n]*>/gi,
  // ##Heading, a | b, ==marked==, :smile:, [b], %NAME%
  /^#{2,}\S.*|^.*\S\s*[|\t]\s*\S.*\n.*[|\t].*|==\p{L}.*?==|(?<!\w):[a-z_]{3,}:|\[\/?[biu]\]|[%|][A-Z_]{3,}[%|]/gmu,
];

/** What only looks wrong. A sentence like that may be meant. */
const guesses: Rule[] = [
  ...failedMarkdown.map((pattern) => ({
    pattern,
    advice:
      'Is it formatting that does not work? Texts have **bold**, [words](/address), ## Heading, - an item of a list, and `backticks` around other symbols.',
  })),
  // Words to come.
  {
    pattern: /\b(TODO|FIXME|TBD|TK|X{2,3})\b|\?{3}|lorem ipsum|\[(your|insert|first|link|date|name)\b.*?\]/gi,
    advice: 'Is it unfinished?',
  },
  // Stars or quotation marks around words.
  {
    pattern: /(?<!\S)([*_])(?=\p{L})[^*_\n]*\p{L}\1(?![*_\p{L}\d])|^[“”„«].*[“”»]$|^[^"]*[^"\d]"$/gu,
    advice: 'A field needs neither formatting nor quotes.',
    in: 'fields',
  },
  // A word twice, such as {deletionTime} days.
  { pattern: /(?<![\p{L}\d])(\p{L}{2,}|%)\s\1(?![\p{L}\d])/giu, advice: 'It says a word twice.' },
];

/** What an editor writes for each fact and component, by its name in brackets. */
const written: Record<string, string> = {
  ...Object.fromEntries(factNames.map((name) => [`{${name}}`, `{${name}}`])),
  ...Object.fromEntries(componentNames.map((name) => [`<${name}>`, `<${name} />`])),
  [`<${wrappingComponent}>`]: `<${wrappingComponent}>words</${wrappingComponent}>`,
};

/** Lists what is wrong or looks wrong in words that begin at the line `top` of a file, after facts are filled in. */
export function checkWords(words: string, top: number, place: Place): Fault[] {
  const search = (rules: Rule[], isGuess: boolean) => {
    const hint = place === 'fields' ? '' : ' To show it, put it in `backticks`.';
    return rules
      .filter((rule) => (rule.in ?? place) === place)
      .flatMap(({ pattern, advice }) =>
        [...words.matchAll(pattern)].map(({ 0: found, index }): Fault => {
          const [typed = ''] = found.trim().split('\n');
          const line = top + words.slice(0, index).trimEnd().split('\n').length - 1;
          const cure = isGuess ? advice : (suggestName(typed, place) ?? advice) + hint;
          return { line, typed, isGuess, message: `Visitors would see ${typed} as typed. ${cure}` };
        }),
      );
  };
  return [...search(mistakes, false), ...search(guesses, true)];
}

/** Suggests the fact or component that was probably meant; `undefined` when none is similar. */
function suggestName(typed: string, place: Place): string | undefined {
  const bare = typed.replace(/^\{\W*(\w+).*/, '{$1}').replace(/^<\W*(\w+).*/, '<$1>');
  const right = written[findNearest(bare, Object.keys(written)) ?? ''];
  if (!right) return undefined;
  const isUsable = place !== 'fields' || right.startsWith('{');
  return isUsable ? `Did you mean ${right}?` : `${right} works in texts only.`;
}

/** What to write instead of a value that may change, longest first, because one may contain another. */
const values = [
  ...Object.entries(facts).map(([name, value]) => [value, `{${name}}`] as const),
  [social.discord.link, written[`<${wrappingComponent}>`]!] as const,
  [placeholders.PUBLIC_SUPPORT_EMAIL, '<SupportEmail />'] as const,
  [placeholders.PUBLIC_SUPPORT_PHONE, '<SupportPhone />'] as const,
]
  // A number with two digits can mean anything.
  .filter(([value]) => value.length > 2)
  .toSorted(([a], [b]) => b.length - a.length)
  .map(([value, right]) => {
    // Also as 30-days, but not as a part of another figure, and not in curly brackets.
    const spelled = value.split(/[\s-]/).map(RegExp.escape).join('[\\s–-]');
    const edge = String.raw`(?<![\p{L}\d{$€£/@.,])${spelled}(?![\p{L}\d@}]|[.,]\d)`;
    return { right, pattern: new RegExp(edge, 'giu') };
  });

/** Warns about words that are the value of a fact, which would stay when the fact changes. */
export function findTypedFacts(words: string, line: number): Fault[] {
  return values.flatMap(({ pattern, right }) =>
    [...words.matchAll(pattern)].map(([typed]) => ({
      line,
      typed,
      isGuess: true,
      message: `"${typed}" is defined once for the whole site. Write ${right}, so that it changes with it, or {${typed}} for another figure.`,
    })),
  );
}
