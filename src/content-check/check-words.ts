import { facts } from '../facts.ts';
import { pages } from '../site.ts';
import { suggestName } from './check-facts.ts';
import type { Fault } from './read-source.ts';

const paths = Object.values(pages).map((page) => page.link);
const path = `(?:${paths.join('|')})(?![\\w-])`;

/** Any HTML tag or component. In a<b>c and a<b or b>a the symbols mean "less than" and "greater than". */
export const tag = /(?!(?<=\w)<\w(\s[^<>=]*)?>\w)<\/?[a-z][\w-]*(:[a-z]+)?(\s[^<>]*)?\/?>/i;

/** What to write instead of an HTML tag. */
const replacements: Record<string, string> = {
  'br|p': 'Leave an empty line for a new paragraph.',
  'b|strong': 'Write **bold**.',
  'i|em': 'Write *italic*.',
  a: 'Write [words](/address).',
  img: 'Write ![what it shows](/file.png).',
  'ul|ol|li': 'Begin each line of a list with a hyphen and a space.',
};
const tagNames = Object.keys(replacements).concat('u|div|span|h[1-6]').join('|');
const unclosedTag = new RegExp(String.raw`(?<!\b\w\s?)</?(${tagNames})(?=[\s.,;:!?]|$)`, 'i');

/** What begins the lines of a list in Word and other programs. */
const bullet = String.raw`[^\S\n]*(-{1,2}|[•·●○▪■◦‣§–—*+]|o(?=\t)|\d+[.)])[^\S\n]*(?=\p{L})`;

/** What visitors would see as code or as unfinished after Markdown, facts and components are rendered, by the advice for it. */
const leftovers: Record<string, RegExp[]> = {
  'Write a picture as ![what it shows](/file.png), without spaces in the address.': [/!\[(?!\w+\])/],
  'Write a link as [words](/address), without spaces between the brackets or in the address.': [
    /\](\(|\[)/, // [words](an address), [words][address]
    /\]\s+\((?=[/#]|https?:|mailto:)/, // [words] (/address)
    /\)\s?[([](?=[/#]|https?:)/, // (words)[/address]
    /\[\[|\[\^|\]https?:|\}\((?=\/|https?:)/, // [[address]], [^note], [words]https://…, {words}(/address)
    new RegExp(String.raw`[\])]\s?(?=${path})|[([](?=${path}[\])])`), // [words]/address, words (/address)
  ],
  'Write [words](https://…) or the address alone, without < and >.': [/<(https?:|www\.|[^<>\s]+@\w)/],
  [`Curly brackets must contain the name of a fact: {${Object.keys(facts).join('}, {')}}.`]: [
    /\{+[^{}]*\}+|\{+/,
  ],
  'Remove the square brackets and their words.': [
    /\[(!\w+|toc)\]|\[\/(b|i|u|s|url|img|size|color|quote|list)\]/i,
  ],
  'Write a heading as ## Heading, with a space after the # signs.': [/^#{2,}/m],
  'Begin each item of a list with a hyphen and a space: - words.': [
    new RegExp(String.raw`(?<=^${bullet}.*\n)${bullet}.*(\n${bullet}.*)*`, 'mu'),
  ],
  'A table needs a second line of hyphens, | --- | --- |, and no empty lines between its lines.': [
    /^\|(?!\|).*\|$(\n\|.*\|$)*|^(?![o•·§-]\t).*\S( \| |\t)\S.*(\n.*\S( \| |\t)\S.*)+/m,
  ],
  'Put a space after the bold or italic words: **Words:** more.': [
    /(\*\*?)[^*\s][^*\n]*(?!\*)\p{P}\1(?=\p{L})/u,
  ],
  // The stars of censored words, such as f*** and s**t, do not count.
  'The matching star is missing. Bold is **bold**, italic is *italic*, without spaces inside. A footnote begins with its star.':
    [
      /(?<=^|[\s("“])\*+(?=\p{L})/mu, // **words
      /(?<=\p{L}{3}[.!?)”"]?)\*{1,2}(?![*\p{L}\d])/u, // words**
      /(?<![\w*/])(\*\*?)\s\p{L}{2}[^*\n]*\s\1(?!\w)/u, // ** words **
    ],
  // Names such as __resource.lua, _G and set_name() do not count.
  'The matching underscore is missing. Bold is **bold**, italic is *italic*, and a name with an underscore is `_name`.':
    [
      /(?<![\w/.])__?(?=\p{Lu}?\p{Ll}+(?!\w|[.(]\w))/u, // __Words
      /(?<=\p{L}{2})__?(?![\w(]|\.\w)/u, // Words__
      /(?<!\w)(__?)\s\p{L}{2}[^_\n]*\s\1(?!\w)/u, // __ words __
    ],
  'The matching character is missing. Remove this one.': [/`|~~/],
  'Remove the symbols.': [/(?<![\p{L}\d])(==|\|\||\+\+)\p{L}[^\n]*?\1/u, /\^(\p{L}+|\d+)\^/u],
  'Write the real words.': [
    /\b(TODO|FIXME|XXX)\s?:|[([](TODO|FIXME|XXX)\b[^()[\]]*[)\]]|^(- )?(TODO|FIXME|XXX)\.?$|^TBD:/m,
    /^(- )?(TODO|FIXME) (add|ask|fix|replace|rewrite|update|write) /m,
    /\[((your|first|last|full|company)[\s_-]?name[^\][]*|insert\s[^\][]+|tbd)\]/i,
    /(?<!\/[a-z]\w*\s[^.!?\n]*)\[(name|link|url|date|email)\]/i, // not in /kick [name]
    /lorem ipsum dolor|^lorem ipsum\b/im,
    /\bX{2,}\s?%|[$€£]\s?X{2,}\b/,
  ],
  'Write an address as https:// and the name of a site, without spaces.': [
    /\b(https?(:\/(?!\/[\p{L}\d[])|[;\s]?\/\/)|file:\/\/)\S*?(?=[.,;:!?]*(\s|$))/u,
  ],
  'Remove it.': [
    tag,
    unclosedTag,
    /<\/?>|<[%?!]|<([@#][!&]?|t?:)\w[^<>\s]*>/, // <>, <!-- note -->, <@1234>
    /(?<!\S)(\/\*|%%) |^(\/\/|-#) |^:::/m, // notes
    /^\[[ x]\](?= \p{L})/imu, // a checkbox
    /\\[nrt](?!\p{Ll})/u,
    /%[A-Z_]{2,}%|%%\w+%%|%\w+\.\w+%|\|[A-Z_]{2,}\|/, // %NAME%, %%name%%, %name.first%, *|NAME|*
    /^import\s.*['"]|^export\s+(default|const|let|function|[{*])/,
  ],
  'Type the emoji itself.': [/(?<![\w:]):[a-z][a-z_]+:(?![\w:])/],
  'Type the character itself.': [/&(#\w+|[a-z]{2,8}\d*);|&(nbsp|amp|hellip|[nm]dash|quot)\b/],
};

/** Lists what visitors would see as code or as unfinished, in words that begin at the line `top` of a file. */
export function findLeftovers(words: string, top: number, hasCode: boolean): Fault[] {
  return Object.entries(leftovers).flatMap(([advice, patterns]) => {
    const isShape = /^(Type|Begin|A table|Write a (heading|link|picture)) /.test(advice);
    const way = hasCode && !isShape ? ' To show it, put it in backticks.' : '';
    return patterns
      .flatMap((pattern) => [...words.matchAll(new RegExp(pattern, `${pattern.flags}g`))])
      .map((match) => {
        const typed = showMatch(match);
        const right = suggestName(typed) ?? replaceTag(typed) ?? advice;
        const line = top + words.slice(0, match.index).split('\n').length - 1;
        return { typed, line, message: `Visitors would see ${typed} as typed. ${right}${way}` };
      });
  });
}

/** Returns what to write instead of an HTML tag; `undefined` for other words. */
function replaceTag(typed: string): string | undefined {
  return Object.entries(replacements).find(([names]) =>
    new RegExp(`^</?(${names})\\b`, 'i').test(typed),
  )?.[1];
}

/** Returns the first line of a match, including the words or the bracket around a symbol. */
function showMatch({ 0: typed, index, input }: RegExpExecArray): string {
  if (/[\p{L}\d]/u.test(typed)) return typed.trim().split('\n')[0]!;
  const [before = ''] = /(!?\[[^[\]\n]*|\S*)$/.exec(input.slice(0, index)) ?? [];
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
