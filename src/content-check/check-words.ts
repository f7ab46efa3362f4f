import { componentNames, wrappingComponent } from '../content-syntax.ts';
import { facts } from '../facts.ts';
import { pages } from '../site.ts';
import { findNearest, suggest } from './nearest.ts';

/** A part of a text that a visitor would see as code. */
interface Leftover {
  /** Its offset in the text. */
  index: number;
  message: string;
}

const link = '[words](/address)';
const brackets = `A link has its words in square brackets and its address in round ones: ${link}.`;
const paths = Object.values(pages).map((page) => page.link);

/** Patterns of broken Markdown, each with the message that says how to fix it. */
const failed: [RegExp, string][] = [
  [/\]\s+\((?=[/#]|https?:|mailto:)/, `Remove the space between ] and ( of the link: ${link}.`],
  [
    /\]\([^)]*\s[^)]*\)/,
    'The address of a link or picture contains a space. Remove it, or write %20 for it.',
  ],
  [/\]\(/, `A link is not complete: ${link}.`],
  [/\)\[(?=[/#]|https?:)/, `The brackets of a link are swapped: ${link}.`],
  [/\]\[|\[\^/, `A link has no address: ${link}.`],
  [/<(https?:|www\.|[^<>\s]+@\w)/, `Write a link without < and >: ${link}.`],
  [/\[[^\]\n]*\(\/[^)\n]*\)|\)\(\/|\]\s+\[\/|\[\[|\]https?:/, brackets],
  [new RegExp(`[\\])[(]\\s?(${paths.join('|')})(?![\\w-])`), brackets],
  [/!\[/, 'A picture is not complete: ![what it shows](/file.png).'],
  [
    /\[!\w+\]|\[\/(b|i|u|s|url|img|size|color|quote|list)\]/i,
    'Visitors would see the square brackets. Remove them.',
  ],
  [/^#{2}/m, 'A space belongs between the # signs and the heading: ## Heading.'],
  [
    /^(-|\d+[.)]|[•·–—*+] ?)\p{L}.*\n(-|\d+[.)]|[•·–—*+] ?)\p{L}/mu,
    'A line of a list begins with a hyphen and a space: - words.',
  ],
  [/`/, 'A backtick ` has no partner. Remove it.'],
  [/\|\|\S.*\|\|/, 'Visitors would see the bars ||. Remove them.'],
  [
    /^\|.*\|$/m,
    'A table needs a second line of hyphens, | --- | --- |, and no empty lines between its lines.',
  ],
  [
    /(\*\*?)[^*\s][^*\n]*\p{P}\1(?=\p{L})/u,
    'A space belongs after the bold or italic words: **Words:** more.',
  ],
  [/(?<![\p{L}*])\*{3,}/u, 'Visitors would see the stars. Remove them.'],
  [
    /(?<![*\p{L}])\*\*(?!\*)|(?<!\*)\*\*(?![*\p{L}])/u,
    '** has no partner. Bold is **bold**, without spaces inside.',
  ],
  [
    /(?<=^|[\s("“])\*(?=\p{L})|(?<![\w*/])\*(\s\p{L}{2}[^*\n]*|\p{L}[^*\n]*\s)\*(?![\w*])/u,
    'A star * has no partner. Italic is *italic*, without spaces inside.',
  ],
  [
    /(?<!\w)(__?)(?:\s\p{L}{2}[^_\n]*|\p{L}[^_\n]*\s)\1(?!\w)/u,
    'An underscore _ has no partner. Italic is *italic*, bold is **bold**, without spaces inside.',
  ],
  [/(?<![\p{L}\d])==\p{L}[^=\n]*==/u, 'Visitors would see the signs ==. Remove them, or write **bold**.'],
  [/(?<![^\s])(\/\*|%%) |^\/\/ /m, 'Visitors would see this note. Remove it.'],
  [/^:::/m, 'Visitors would see the colons :::. Remove them.'],
  [/\\[nrt](?!\p{Ll})/u, 'Visitors would see the backslash \\ and its letter. Remove both.'],
  [/<\/?>|<[%?!](?!--)|<[@#:]\w[^<>\s]*>/, 'Visitors would see the pointed brackets. Remove them.'],
  [/~~/, '~~ has no partner. Remove it.'],
  [/(?<![\w:]):[a-z][a-z_]+:(?![\w:])/, 'Visitors would see the name between colons. Type the emoji itself.'],
  [/&(#\w+|[a-z]{2,8}\d*);/, 'The code between & and ; is unknown. Type the sign itself.'],
];

/** What to write instead of HTML tags. */
const instead: Record<string, string> = {
  br: 'Leave an empty line for a new paragraph.',
  p: 'Leave an empty line for a new paragraph.',
  b: 'Write **bold**.',
  strong: 'Write **bold**.',
  i: 'Write *italic*.',
  em: 'Write *italic*.',
  a: `Write ${link}.`,
  img: 'Write ![what it shows](/file.png).',
  ul: 'Begin each line of a list with a hyphen and a space.',
  ol: 'Begin each line of a list with its number and a full stop.',
  li: 'Begin each line of a list with a hyphen and a space.',
};

/**
 * Lists what a visitor would see as code after facts and components are filled in. One mistake may match several patterns,
 * so only the first pattern and the first tag count.
 */
export function findLeftovers(words: string): Leftover[] {
  const [sign, message = ''] = failed.find(([pattern]) => pattern.test(words)) ?? [];
  const inBrackets = [...findBraces(words), ...findTag(words)];
  return [
    ...(sign ? [{ index: words.search(sign), message }] : []),
    ...(inBrackets.length > 0 ? inBrackets : findBareName(words)),
  ];
}

/** Returns how a fact, a contact or a figure is written; `undefined` for other names. */
function writeName(name: string): string | undefined {
  if (name === wrappingComponent) return `<${name}>words</${name}>`;
  if (componentNames.some((known) => known === name)) return `<${name} />`;
  if (/^[\d.,]+\s?%?$/.test(name)) return name;
  return Object.hasOwn(facts, name) ? `{${name}}` : undefined;
}

function findBraces(words: string): Leftover[] {
  return [...words.matchAll(/\{+([^{}]*)(\}*)/g)].map(({ 0: typed, 1: inner = '', 2: end, index }) => {
    const isLink = /^\(\s*(\/|#|https?:)/.test(words.slice(index + typed.length));
    if (!end) {
      const message = 'A curly bracket is opened and not closed. A fact is a name in two brackets: {app}.';
      return { index, message };
    }
    return { index, message: isLink ? brackets : explainBraces(typed, inner.trim()) };
  });
}

function explainBraces(typed: string, name: string): string {
  if (/^\/[*/]/.test(name)) return 'Visitors would see this note. Remove it.';
  // The name itself, its value, or the name with other signs: {{app}}, {{app} }, {app.name}.
  const [core = ''] = /^\W*[a-z]\w*(?!\w*\s)/i.exec(name) ?? [];
  const meant = factNames.find((one) => facts[one] === name || one === core.replace(/^\W+/, ''));
  const right = writeName(meant ?? name);
  if (right) return `${typed} does not work. Write ${right}.`;
  if (!/^[\w\s-]*[a-z][\w\s-]*$/i.test(name)) {
    return `${typed} is not a fact. Curly brackets contain the name of one, such as {app}.`;
  }
  const known = factNames.map((one) => `{${one}}`);
  return `There is no fact {${name}}. ${suggest(`{${name.replace(/[\s_-]/g, '')}}`, known, 'The facts are')}`;
}

/** Finds a name without its brackets: one that is no English word, such as payoutTime, or one with a bracket after it. */
function findBareName(words: string): Leftover[] {
  const match = bareName.exec(words);
  const name = match?.[1] ?? match?.[2];
  if (!match || !name) return [];
  return [{ index: match.index, message: `${name} needs its brackets: ${writeName(name)}.` }];
}

const factNames = Object.keys(facts);
const unusual = [...factNames.filter((name) => /[A-Z]/.test(name)), ...componentNames].join('|');
const bareName = new RegExp(`(?<!\\w)(?:(${unusual})(?!\\w)|(${factNames.join('|')})\\})`);

function findTag(words: string): Leftover[] {
  for (const match of words.matchAll(/<(?:!--|\/?(\s*)([a-z][\w-]*)(?=[\s/>]|$)([^<>]*)(>?))/gi)) {
    const [tag, space, name = '', rest = '', end] = match;
    const right = /^[A-Z]/.test(name) && writeName(name);
    // Without a letter after it and a > at the end, < means "less than".
    if (tag !== '<!--' && !right && (space || !end)) continue;
    return [{ index: match.index, message: explainTag(tag, name, rest, right) }];
  }
  return [];
}

function explainTag(tag: string, name: string, rest: string, right: string | undefined | false): string {
  if (tag === '<!--') return 'Visitors would see this note. Remove it.';
  if (right) return `<${name}> is not complete, or contains more than its name. Write ${right}.`;
  const nearest = findNearest((name + rest).replace(/\W/g, ''), componentNames);
  const known = componentNames.map((one) => `<${one}>`).join(', ');
  const guess = nearest ? `Did you mean ${writeName(nearest)}?` : `Remove it. The known ones are ${known}.`;
  return `<${name}> is not known here. ${instead[name.toLowerCase()] ?? guess}`;
}
