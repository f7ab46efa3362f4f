import { findNearest } from '../../ground/nearest.ts';
import { componentNames, wrappingComponent } from '../content-syntax.ts';
import { facts } from '../facts.ts';
import { placeholders, social } from '../site.ts';
import type { Fault } from './read-source.ts';

/** What visitors would see as typed, and what to do about it. */
interface Rule {
  /** What it is, in words. */
  name: string;
  pattern: RegExp;
  advice: string;
  in?: 'fields' | 'texts' | 'emails';
}

const factNames = Object.keys(facts);
const elements =
  'a|b|i|p|s|u|br|hr|em|h[1-6]|li|ol|ul|td|th|tr|del|div|img|ins|pre|sub|sup|font|span|table|center|strong|script';

/** What is surely wrong. */
const mistakes: Rule[] = [
  {
    name: 'the name of a reader, as Mailchimp and others fill it in',
    pattern: /\*?\|[A-Z_]{3,}\|\*?|\{\{.*?\}\}/g,
    advice: 'Every member gets the same words, so a message cannot contain a name. Remove it.',
    in: 'emails',
  },
  {
    name: 'an HTML element, a component, or any tag that closes, but not a<b>c',
    pattern: new RegExp(
      String.raw`(?<!\w(?=<\w>))</?(${elements}|${componentNames.join('|')})\b(\s[^<>]*|/?)>|</[a-z][^<>]*>|<[a-z][^<>]*/>`,
      'gi',
    ),
    advice: 'Remove it. Write **bold**, *italic*, [words](/address), and an empty line for a new paragraph.',
  },
  {
    name: 'one word in curly brackets, or a fact without the second bracket',
    pattern: new RegExp(String.raw`\{+\s*[\w-]+\s*\}+|\{+\s*(${factNames.join('|')})\b`, 'g'),
    advice: `The facts are {${factNames.join('}, {')}}.`,
  },
  {
    name: 'a link or a picture that Markdown cannot read',
    pattern: /!?\[[^\]\n]*\]\(\s?(\/|#|https?:|mailto:|tel:)[^)\n]*\)?|!\[[^\]\n]*\]\s?[[(][^\])\n]*[\])]?/g,
    advice: 'A link is [words](/address) and a picture ![what it shows](/file.jpg), without spaces in it.',
  },
  {
    name: 'formatting where there is none',
    pattern: /\*\*\S[^*\n]*\*\*|`[^`\n]+`|~~\S.*?~~|&(amp|lt|gt|quot|nbsp|hellip|[nm]dash|#\w+);/g,
    advice: 'A field is plain words.',
    in: 'fields',
  },
];

/** What only looks wrong. A sentence like that may be meant. */
const guesses: Rule[] = [
  {
    name: 'half of a bold word or of code',
    pattern: /(?<!\S)\*\*\S+|\p{L}{3,}[.!?:]?\*\*(?![*\p{L}\d])|~~|`/gu,
    advice: 'Is the other half missing? Bold is **bold**.',
  },
  {
    name: 'two lines that begin like items of a list',
    pattern: /^\s*([•·●▪‣*–-]|\d+[.)])\s?(?=\p{L}).*\n\s*(\1|\d+[.)])\s?\p{L}.*/gmu,
    advice: 'Begin each item of a list with a hyphen and a space: - words.',
  },
  {
    name: 'a link with a space in the middle, or a footnote',
    pattern: /\] ?[([](?=[/#]|https?:).*|\[\^\w+\]|\[\[.*?\]\]/g,
    advice: 'A link is [words](/address).',
  },
  {
    name: 'any other curly or angle bracket',
    pattern: /[{}][^{}\n]*\}?|(?<!\w)<[a-z@#!][^<>\n]*>/gi,
    advice: 'Remove it, or put it in `backticks`.',
  },
  {
    name: 'words to come',
    pattern: /\b(TODO|FIXME|TBD|TK|X{2,3})\b|\?{3}|lorem ipsum|\[(your|insert|first|link|date|name)\b.*?\]/gi,
    advice: 'Is it unfinished?',
  },
  {
    name: 'a mark of another program: ##Heading, a | b, ==marked==, :smile:, [b], %NAME%',
    pattern:
      /^#{2,}\S.*|^.*\S\s*[|\t]\s*\S.*\n.*[|\t].*|(==|\|\|)\p{L}.*?\1|(?<!\w):[a-z_]{3,}:|\[\/?[biu]\]|%[A-Z_]{3,}%|\|[A-Z_]{3,}\|/gmu,
    advice:
      'Does it come from another program? A heading is ## Heading, and a table has a line | --- | --- |.',
  },
  {
    name: 'stars or curly quotes around words',
    pattern: /(?<!\S)([*_])(?=\p{L})[^*_\n]*\p{L}\1(?![*_\p{L}\d])|^[“”„«].*[“”»]$/gu,
    advice: 'A field needs neither formatting nor quotes.',
    in: 'fields',
  },
  {
    name: 'a word twice, such as {deletionTime} days',
    pattern: /(?<![\p{L}\d])(\p{L}{2,}|%)\s\1(?![\p{L}\d])/giu,
    advice: 'It says a word twice.',
  },
];

/** What an editor writes for each fact and component. */
const written: Record<string, string> = {
  ...Object.fromEntries(factNames.map((name) => [name, `{${name}}`])),
  ...Object.fromEntries(componentNames.map((name) => [name, `<${name} />`])),
  [wrappingComponent]: `<${wrappingComponent}>words</${wrappingComponent}>`,
};

/** Lists what is wrong or looks wrong in words that begin at the line `top` of a file, after facts are filled in. */
export function checkWords(words: string, top: number, place: NonNullable<Rule['in']>): Fault[] {
  const hint = place === 'texts' ? ' To show it, put it in backticks.' : '';
  const search = (rules: Rule[], isGuess: boolean) =>
    rules
      .filter((rule) => (rule.in ?? place) === place)
      .flatMap(({ pattern, advice }) =>
        [...words.matchAll(pattern)].map(({ 0: found, index }): Fault => {
          const [typed = ''] = found.trim().split('\n');
          const line = top + words.slice(0, index).trimEnd().split('\n').length - 1;
          if (isGuess) return { line, typed, isGuess, message: `Visitors would see "${typed}". ${advice}` };
          const message = `Visitors would see ${typed} as typed. ${suggestName(typed, place) ?? advice}`;
          return { line, typed, message: message + hint };
        }),
      );
  return [...search(mistakes, false), ...search(guesses, true)];
}

/** Suggests the fact or component that was probably meant; `undefined` when none is similar. */
function suggestName(typed: string, place: Rule['in']): string | undefined {
  if (!/^[{<]/.test(typed)) return undefined;
  const [open, close] = typed.startsWith('{') ? ['{', '}'] : ['<', '>'];
  const names = Object.keys(written).filter((name) => name in facts === (open === '{'));
  const found = findNearest(
    `${open}${/\w+/.exec(typed)?.[0]}${close}`,
    names.map((name) => `${open}${name}${close}`),
  );
  const nearest = found?.slice(1, -1);
  if (!nearest) return undefined;
  if (place === 'fields' && !(nearest in facts)) return `${written[nearest]} works in texts only.`;
  return `Did you mean ${written[nearest]}?`;
}

/** What to write instead of a value that may change, longest first, because one may contain another. */
const values = [
  ...Object.entries(facts).map(([name, value]) => [value, written[name]!] as const),
  [social.discord.link, written[wrappingComponent]!] as const,
  [placeholders.PUBLIC_SUPPORT_EMAIL, written['SupportEmail']!] as const,
  [placeholders.PUBLIC_SUPPORT_PHONE, written['SupportPhone']!] as const,
]
  // A number with two digits can mean anything.
  .filter(([value]) => value.length > 2)
  .toSorted(([a], [b]) => b.length - a.length)
  .map(([value, right]) => ({ right, pattern: new RegExp(spell(value), 'giu') }));

/** Matches a whole value outside of curly brackets, also as `30-day`, `85 percent` or `2 to 3`. */
function spell(value: string): string {
  const spelled = RegExp.escape(value)
    .replaceAll(String.raw`\x25`, String.raw`\s?(?:%|percent)`)
    .replaceAll(String.raw`\x2d`, String.raw`(?:\s?[-–]\s?| to )`)
    .replaceAll(String.raw`\x20`, String.raw`[\s-]`)
    .replace(/s$/, 's?');
  return String.raw`(?<![\p{L}\d{$€£/@.,])${spelled}(?![\p{L}\d@}]|[.,]\d)`;
}

/** Warns about words that are the value of a fact, which would stay when the fact changes. */
export function findTypedFacts(words: string, line: number): Fault[] {
  const found = values.flatMap(({ pattern, right }) =>
    [...words.matchAll(pattern)].map(([typed]) => ({ typed, right })),
  );
  return found.map(({ typed, right }) => {
    const other = /^\d/.test(typed) ? ` If it is another figure, write {${typed}}.` : '';
    const message = `"${typed}" is defined once for the whole site. Write ${right}, so that it changes with it.${other}`;
    return { line, typed, isGuess: true, message };
  });
}
