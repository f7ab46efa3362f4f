import { facts, fillFacts } from '../facts.ts';
import { pages } from '../site.ts';
import { suggestName } from './check-facts.ts';
import type { Fault } from './read-source.ts';

const paths = Object.values(pages).map((page) => page.link);
const path = `(?:${paths.join('|')})(?![\\w-])`;

/** Matches HTML tags and components, by a pattern of their names. In a<b>c the symbols mean "less than" and "greater than". */
const tag = (names: string) =>
  new RegExp(String.raw`(?!(?<=\w)<\w(\s[^<>=]*)?>\w)</?(${names})(\s[^<>]*)?/?>`, 'i');
const anyTag = tag(String.raw`(?!([uo]l|li)\b)[a-z][\w-]*(:[a-z]+)?`);

/** Matches an HTML tag, even without its >. */
const element = (names: string) =>
  new RegExp(String.raw`${tag(names).source}|(?<!\b\w\s?)</?(${names})(?=[\s.,;:!?]|$)`, 'i');

/** What begins the lines of a list in Word and other programs. */
const bullet = String.raw`[^\S\n]*(-{1,2}|[•·●○▪■◦‣§–—*+→➔➢✓✔✅]|o(?=\t)|\d+[.)]|[a-z][.)](?=\s))[^\S\n]*(?=\p{L})`;

/** What visitors would see as code or as unfinished after Markdown, facts and components are rendered. */
type Leftovers = Record<string, RegExp[]>;

/** Formatting that works only in texts. */
const formatting = [
  /(?<!\w)(\*\*?|__?|~~|`)(?=\S)[^\n]*?\S\1(?![.(]?\w)/,
  /[\p{L}\d][^\s*]*\*\*(?![*\p{L}\d])/u,
  /^#+ (?!of ).*/, // ## Heading, but not “# of drops”
  anyTag,
  /\\[*_#[\]<>{}()`~\\!?]/,
];

/** Failed Markdown, by the advice for it. */
const markdown: Leftovers = {
  'Write a picture as ![what it shows](/file.png), without spaces in the address.': [/!\[(?!\w+\])/],
  'Write a link as [words](/address), without spaces between the brackets or in the address.': [
    /\][([（]/, // [words](an address), [words][address]
    /\]\s+\((?=[/#]|https?:|mailto:)/, // [words] (/address)
    /\)\s?[([](?=[/#]|https?:)/, // (words)[/address]
    /\[\[|\[\^|\]https?:|\}\((?=\/|https?:)/, // [[address]], [^note], [words]https://…, {words}(/address)
    new RegExp(String.raw`[\])]\s?(?=${path})|[([](?=${path}[\])])|\[[^\][\n]+${path}\]`), // [words]/address, words (/address), [words/address]
  ],
  'Write a heading as ## Heading, with a space after the # signs.': [/^#{2,}/m],
  'Begin each item of a list with a hyphen and a space: - words.': [
    new RegExp(String.raw`(?<=^${bullet}.*\n)${bullet}.*(\n${bullet}.*)*`, 'mu'),
    /<\/?([uo]l|li)\b([^]*<\/?([uo]l|li)\b)?([^<>\n]*>)?/i,
  ],
  'A table needs a second line of hyphens, | --- | --- |, and no empty lines between its lines.': [
    /^\|(?!\|).*\|$(\n\|.*\|$)*|^(?!([o•·§-]|\w\))\t).*\S( \| |\t)\S.*(\n.*\S( \| |\t)\S.*)+/m,
  ],
  'Put a space after the bold or italic words: **Words:** more.': [
    /(\*\*?)[^*\s][^*\n]*(?!\*)\p{P}\1(?=\p{L})/u,
  ],
};

/** Formatting characters without their match, by the advice for them. A backslash makes them ordinary characters. */
const marks: Leftovers = {
  // The stars of censored words, such as f*** and s**t, do not count.
  'The matching star is missing. Bold is **bold**, italic is *italic*, without spaces inside. A footnote begins with its star.':
    [
      /(?<=^|[\s("“])(\*+)(?=\p{L})([^*\n]*\s\1(?=\p{L}))?/mu, // **words, **words: **words
      /(?<=\p{L}{3}[.!?)”"]?)\*{1,2}(?![*\p{L}\d])/u, // words**
      /(?<![\w*/])(\*{1,3})\s\p{L}{2}[^*\n]*\s\1(?![\w*])/u, // ** words **
    ],
  // Names such as __resource.lua, _G and set_name() do not count.
  'The matching underscore is missing. Bold is **bold**, italic is *italic*, and a name with an underscore is `_name`.':
    [
      /(?<![\w/.])__?(?=\p{Lu}?\p{Ll}+(?!\w|[.(]\w))/u, // __Words
      /(?<=\p{L}{2})__?(?![\w(]|\.\w)/u, // Words__
      /(?<!\w)(__?)\s\p{L}{2}[^_\n]*\s\1(?!\w)/u, // __ words __
    ],
  'The matching character is missing. Remove this one.': [/`|~~/],
};

/** Tags and addresses, by what Markdown has instead. In backticks, visitors are meant to see them. */
const tags: Leftovers = {
  'Write [words](https://…) or the address alone, without < and >.': [
    /<(https?:|www\.|[^<>\s]+@\w)[^<>\s]*>?/,
  ],
  'Leave an empty line for a new paragraph.': [element('br|p')],
  'Write **bold**.': [element('b|strong')],
  'Write *italic*.': [element('i|em')],
  'Write [words](/address).': [element('a')],
  'Write ![what it shows](/file.png).': [element('img')],
};

/** Code and unfinished words, by the advice for each. In backticks, visitors are meant to see them. */
const code: Leftovers = {
  [`Curly brackets must contain the name of a fact: {${Object.keys(facts).join('}, {')}}.`]: [
    /\{+[^{}]*\}+|\{+/,
  ],
  'Remove the square brackets and the words inside.': [
    /\[(!\w+|toc)\]|\[\/(b|i|u|s|url|img|size|color|quote|list)\]/i,
  ],
  'The matching bracket is missing. Add it, or remove this one.': [
    /(?<=^[^[\]]*\p{L})\](?!\w)|\[(?=\p{L}[^[\]]*$)/u,
  ],
  'Remove the symbols.': [/(?<![\p{L}\d])(==|\|\||\+\+)\p{L}[^\n]*?\1/u, /\^(\p{L}+|\d+)\^/u],
  'Write the real words.': [
    /\b(TODO|FIXME|XXX)(\(\w+\)|\s)?:|[([](TODO|FIXME|XXX)\b[^()[\]]*[)\]]|^(- )?(TODO|FIXME|XXX|TBD|TK)\.?$|^(TBD|todo):/m,
    /^(- )?(TODO|FIXME) (add|ask|fix|replace|rewrite|update|write) /m,
    /\[((your|first|last|full|company)[\s_-]?name[^\][]*|insert\s[^\][]+|tbd)\]/i,
    /(?<!\/[a-z]\w*\s[^.!?\n]*)\[((name|link|url|date|email)( here| to come)?|your\s[^\][]+)\]/i, // not in /kick [name]
    /lorem ipsum dolor|^lorem ipsum\W*$/im,
    /\bX{2,}\s?%|[$€£]\s?X{2,}\b/,
  ],
  'Write an address as https:// and the name of a site, without spaces.': [
    /\b(https?(:\/(?!\/[\p{L}\d[])|[;\s]?\/\/)|file:\/\/)\S*?(?=[.,;:!?]*(\s|$))/u,
  ],
  'Remove it.': [
    anyTag,
    element('u|div|span|h[1-6]'),
    /<\/?>|<!--[^]*?-->|<[%?!]|<([@#][!&]?|t?:)\w[^<>\s]*>/, // <>, <!-- note -->, <@1234>
    /(?<!\S)(\/\*|%%) |^(\/\/|-#) |^:::/m, // notes
    /^\[[ x]?\](?= \p{L})/imu, // a checkbox
    /\\[nrt](?!\p{Ll})/u,
    /%[A-Z_]{2,}%|%%\w+%%|%\w+\.\w+%|\|[A-Z_]{2,}\|/, // %NAME%, %%name%%, %name.first%, *|NAME|*
    /^import\s.*['"]|^export\s+(default|const|let|function|[{*])/,
  ],
  'Type the emoji itself.': [/(?<![\w:]):([a-z][a-z_]+|[+-]1):(?![\w:])/],
  'Type the character itself.': [/&(#\w+|[a-z]{2,8}\d*);|&(nbsp|amp|hellip|[nm]dash|quot)\b/],
};

/** Lists what visitors would see as code or as unfinished in a text, whose words begin at the line `top` of a file. */
export function findLeftovers(words: string, top: number, isEmail?: true): Fault[] {
  // An email cannot show code.
  const showCode = isEmail ? '' : ' To show it, put it in backticks.';
  const escape = (typed: string) => ` To show it, write ${typed.replace(/[*_~`]/g, '\\$&')}.`;
  return [
    ...search(markdown, words, top),
    ...search({ ...tags, ...code }, words, top, (typed, advice) => (suggestName(typed) ?? advice) + showCode),
    ...search(marks, words, top, (typed, advice) => advice + escape(typed)),
  ];
}

/** Does the same in a field, which is plain words. */
export function findLeftoversInField(words: string, line: number): Fault[] {
  const refuse = () => 'A field is plain words, without bold, links or code.';
  // A star may belong to a note, and an underscore to a name. A field cannot escape them.
  const plain = fillFacts(withoutNotes(words).replace(/(?<!\w)_+(?=\p{Ll})/gu, ''));
  return [
    ...search({ formatting }, words, line, refuse),
    ...search({ ...markdown, ...marks, ...tags }, plain, line, refuse),
    ...search(code, plain, line, (typed, advice) => suggestName(typed, Object.keys(facts)) ?? advice),
  ];
}

function search(
  rules: Leftovers,
  words: string,
  top: number,
  advise = (_typed: string, advice: string) => advice,
): Fault[] {
  return Object.entries(rules).flatMap(([advice, patterns]) =>
    patterns
      .flatMap((pattern) => [...words.matchAll(new RegExp(pattern, `${pattern.flags}g`))])
      .map((match) => {
        const typed = showMatch(match);
        const line = top + words.slice(0, match.index).split('\n').length - 1;
        return { typed, line, message: `Visitors would see ${typed} as typed. ${advise(typed, advice)}` };
      }),
  );
}

/** Returns the first line of a match, including the words or the bracket around a symbol. */
function showMatch({ 0: typed, index, input }: RegExpExecArray): string {
  // \s also matches the separator that check-text.ts puts at the end of a line with a hard break.
  const [first = ''] = typed.trimStart().split(/\s*\n/);
  if (/[\p{L}\d]/u.test(typed)) return first.trim();
  const [before = ''] = /(!?\[[^[\]\n]*|\S*)$/.exec(input.slice(0, index)) ?? [];
  const [after = ''] = /^\S*/.exec(input.slice(index + typed.length)) ?? [];
  return before + first + after.replace(/[.,;:?]$/, '');
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
