import { componentNames } from '../content-syntax.ts';
import { facts } from '../facts.ts';
import { pages } from '../site.ts';
import { writeName } from './check-facts.ts';
import type { Fault } from './fault.ts';
import { findNearest, suggest } from './nearest.ts';

const paths = Object.values(pages).map((page) => page.link);
const path = `(?:${paths.join('|')})(?![\\w-])`;

/** What a visitor would see as code after Markdown, facts and components are rendered, by what to write instead. */
const leftovers: [cure: string | ((typed: string) => string), ...patterns: RegExp[]][] = [
  ['Write a picture as ![what it shows](/file.png), without spaces in the address.', /!\[(?!\w+\])/],
  [
    'Write a link as [words](/address), without spaces between the brackets or in the address.',
    /\](\(|\[)/, // [words](an address), [words][address]
    /\]\s+\((?=[/#]|https?:|mailto:)/, // [words] (/address)
    /\)\s?[([](?=[/#]|https?:)/, // (words)[/address]
    /\[\[|\[\^|\]https?:|\}\((?=\/|https?:)/, // [[address]], [^note], [words]https://…, {words}(/address)
    new RegExp(String.raw`[\])]\s?(?=${path})|[([](?=${path}[\])])`), // [words]/address, words (/address)
  ],
  ['Write [words](https://…) or the address alone, without < and >.', /<(https?:|www\.|[^<>\s]+@\w)/],
  [explainBraces, /\{[^{}]*\}|\{/],
  // In a<b>c the signs mean "less than" and "greater than".
  [explainTag, /(?!(?<=\w)<\w>\w)<\/?[a-z][\w-]*(\s[^<>]*)?\/?>/i],
  ['Remove the square brackets and their words.', /\[!\w+\]|\[\/(b|i|u|s|url|img|size|color|quote|list)\]/i],
  ['Write a heading as ## Heading, with a space after the # signs.', /^#{2,}/m],
  [
    'Begin each item of a list with a hyphen and a space: - words.',
    /(?<=^([-•·–—*+]|\d+[.)])\s?\p{L}.*\n)(-|\d+[.)]|[•·–—*+] ?)\p{L}\S*/mu,
  ],
  [
    'A table needs a second line of hyphens, | --- | --- |, and no empty lines between its lines.',
    /^\|.*\|$|^.*\S \| \S.*\n.*\S \| \S/m,
  ],
  ['Put a space after the bold or italic words: **Words:** more.', /(\*\*?)[^*\s][^*\n]*\p{P}\1(?=\p{L})/u],
  // The stars of censored words, such as f*** and s**t, do not count.
  [
    'It has no partner. Bold is **bold**, italic is *italic*, without spaces inside. A note begins with its star.',
    /(?<=^|[\s("“])\*+(?=\p{L})/mu, // **words
    /(?<=\p{L}{3}[.!?)”"]?)\*{1,2}(?![*\p{L}\d])/u, // words**
    /(?<![\w*/])(\*\*?)\s\p{L}{2}[^*\n]*\s\1(?!\w)/u, // ** words **
  ],
  // Names such as __resource.lua, _G and set_name() do not count.
  [
    'It has no partner. Bold is **bold**, italic is *italic*, and a name with such a sign is `_name`.',
    /(?<![\w/.])__?(?=\p{Lu}?\p{Ll}+(?!\w|[.(]\w))/u, // __Words
    /(?<=\p{L}{2})__?(?![\w(])/u, // Words__
    /(?<!\w)(__?)\s\p{L}{2}[^_\n]*\s\1(?!\w)/u, // __ words __
  ],
  ['It has no partner. Remove it.', /`|~~/],
  ['Remove the signs.', /(?<![\p{L}\d])(==|\|\||\+\+)\p{L}[^\n]*?\1/u, /\^(\p{L}+|\d+)\^/u],
  [
    'Remove it.',
    /<\/?>|<[%?!]|<([@#][!&]?|t?:)\w[^<>\s]*>/, // <>, <!-- note -->, <@1234>
    /(?<!\S)(\/\*|%%) |^\/\/ |^:::/m, // notes
    /\\[nrt](?!\p{Ll})/u,
    /%[A-Z_]{2,}%|\|[A-Z_]{2,}\|/, // %NAME%, *|NAME|*
    /^import\s.*['"]|^export\s+(default|const|let|function|[{*])/,
  ],
  ['Type the emoji itself.', /(?<![\w:]):[a-z][a-z_]+:(?![\w:])/],
  ['Type the sign itself.', /&(#\w+|[a-z]{2,8}\d*);|&(nbsp|amp|hellip|[nm]dash|quot)\b/],
];

/** Lists what visitors would see as code, in words that begin at a line of a file. */
export function findLeftovers(words: string, line: number): Fault[] {
  return leftovers.flatMap(([cure, ...patterns]) => {
    const match = patterns.map((pattern) => pattern.exec(words)).find(Boolean);
    if (!match) return [];
    const typed = showMatch(match);
    const message = `Visitors would see ${typed} as typed. ${typeof cure === 'string' ? cure : cure(typed)}`;
    return [{ line: line + words.slice(0, match.index).split('\n').length - 1, message }];
  });
}

/** Returns the first line of a match, including the words or the bracket around a sign. */
function showMatch({ 0: typed, index, input }: RegExpExecArray): string {
  if (/[\p{L}\d]/u.test(typed)) return typed.trim().split('\n')[0]!;
  const [before = ''] = /(\[[^[\]\n]*|\S*)$/.exec(input.slice(0, index)) ?? [];
  const [after = ''] = /^\S*/.exec(input.slice(index + typed.length)) ?? [];
  return `${before}${typed}${after}`.trim().replace(/[.,;:?]$/, '');
}

/** A star that leads to a note, as in "apply*", or one that begins the note. */
const mark = /(?<=[^\s*/(])\*+(?![*\p{L}\d])/gu;
const beginning = /^\*+(?=\p{L})/u;

/** Returns whether a text has a star that leads to a note, and a note below it. */
export function hasNotes(paragraphs: string[]): boolean {
  const first = paragraphs.findIndex((words) => words.search(mark) >= 0);
  return first >= 0 && paragraphs.findLastIndex((words) => beginning.test(words)) > first;
}

/** Removes the stars of notes. */
export function withoutNotes(words: string): string {
  return words.replace(mark, '').replace(beginning, '');
}

const knownFacts = Object.keys(facts).map(writeName);

function explainBraces(typed: string): string {
  return suggest(typed, knownFacts, 'Curly brackets contain the name of a fact');
}

/** What to write instead of HTML. */
const instead: [RegExp, string][] = [
  [/^(br|p)$/i, 'Leave an empty line for a new paragraph.'],
  [/^(b|strong)$/i, 'Write **bold**.'],
  [/^(i|em)$/i, 'Write *italic*.'],
  [/^a$/i, 'Write [words](/address).'],
  [/^img$/i, 'Write ![what it shows](/file.png).'],
  [/^(ul|ol|li)$/i, 'Begin each line of a list with a hyphen and a space.'],
];

function explainTag(typed: string): string {
  const [, name = '', rest = ''] = /^<\/?([\w-]+)([^>]*)/.exec(typed) ?? [];
  const [, cure] = instead.find(([pattern]) => pattern.test(name)) ?? [];
  const nearest = findNearest(name + rest, componentNames);
  return cure ?? (nearest ? `Did you mean ${writeName(nearest)}?` : 'Remove it, or put it in backticks.');
}
