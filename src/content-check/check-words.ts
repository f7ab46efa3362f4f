import { componentNames, wrappingComponent } from '../content-syntax.ts';
import { facts } from '../facts.ts';
import { findNearest, suggest } from './nearest.ts';

/** A part of a text that a visitor would see as code. */
interface Leftover {
  /** Its offset in the text. */
  index: number;
  message: string;
}

const link = '[words](/address)';

/** Patterns of broken Markdown, each with the message that says how to fix it. */
const failed: [RegExp, string][] = [
  [/\]\s+\((?=[/#]|https?:|mailto:)/, `A space stands between ] and ( of a link. Remove it: ${link}.`],
  [
    /\]\([^)]*\s[^)]*\)/,
    `The address of a link or picture holds a space. Rename the file, or write %20 for it.`,
  ],
  [/\]\(/, `A link is not complete: ${link}.`],
  [/\)\[(?=[/#]|https?:)/, `The brackets of a link are swapped: ${link}.`],
  [/\]\[|\[\^/, `A link has no address: ${link}.`],
  [/^#{2,6}[^#\s]/m, 'A space belongs between the # signs and the heading: ## Heading.'],
  [
    /^(-|\d+[.)]|[•·–—*+] ?)\p{L}.*\n(-|\d+[.)]|[•·–—*+] ?)\p{L}/mu,
    'A line of a list begins with a hyphen and a space: - words.',
  ],
  [/`/, 'A backtick ` has no partner. Remove it.'],
  [/^\|.*\|$/m, 'A table needs a second line of hyphens: | --- | --- |.'],
  [
    /(?<![*\p{L}])\*\*(?!\*)|(?<!\*)\*\*(?![*\p{L}])/u,
    '** has no partner. Bold is **bold**, without spaces inside.',
  ],
  [/~~/, '~~ has no partner. Remove it.'],
  [
    /(?<![\w:]):[a-z][a-z_]+:(?![\w:])/,
    'A name between colons is shown as typed. Put the emoji itself there.',
  ],
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

/** Lists what a visitor would see as code after facts and components are filled in. */
export function findLeftovers(words: string): Leftover[] {
  const found = failed.flatMap(([sign, message]) => {
    const match = sign.exec(words);
    return match ? [{ index: match.index, message }] : [];
  });
  // One mistake may match several patterns, so only the first match counts.
  return [...found.slice(0, 1), ...findBraces(words), ...findTags(words)];
}

function findBraces(words: string): Leftover[] {
  const names = Object.keys(facts);
  const braces = [...words.matchAll(/\{+([^{}]*)(\}?)/g)].map(({ 1: inner = '', 2: closed, index }) => {
    const name = inner.trim();
    if (!closed) {
      return {
        index,
        message: 'A curly bracket is opened and not closed. A fact is a name in two brackets: {app}.',
      };
    }
    if (Object.hasOwn(facts, name))
      return { index, message: `Write {${name}}, with one bracket on each side.` };
    if (/^\/\*|^\/\//.test(name)) return { index, message: 'Visitors would see this note. Remove it.' };
    if (!/^[\w\s-]*[a-z][\w\s-]*$/i.test(name)) {
      return {
        index,
        message: `{${name}} is not a fact. Curly brackets hold the name of one, such as {app}.`,
      };
    }
    const known = names.map((known) => `{${known}}`);
    const guess = suggest(`{${name.replace(/[\s_-]/g, '')}}`, known, 'The facts are');
    return { index, message: `There is no fact {${name}}. ${guess}` };
  });
  // A name such as payoutTime is not an English word, so it is reported even without brackets.
  const camel = names.filter((name) => /[A-Z]/.test(name)).join('|');
  const bare = new RegExp(`(?<![\\w{])(?:(${camel})(?!\\w)|(${names.join('|')})\\})`);
  const match = braces.length === 0 && bare.exec(words);
  if (match) {
    const message = `A fact needs two curly brackets: {${match[1] ?? match[2]}}.`;
    braces.push({ index: match.index, message });
  }
  return braces;
}

function findTags(words: string): Leftover[] {
  const tags = [...words.matchAll(/<(!--|(\/?)(\s*)([a-z][\w-]*)(?=[\s/>]|$)([^<>]*)>?)/gi)];
  const found = tags.flatMap(
    ({ 0: tag, 2: slash, 3: space, 4: name = '', 5: rest = '', index }): Leftover[] => {
      // Before a space, < means "less than".
      if (space && !isComponent(name)) return [];
      return [{ index, message: explainTag(tag, Boolean(slash), name, rest) }];
    },
  );
  // An opening and a closing tag count as one mistake.
  return found.filter(({ message }, at) => found.findIndex((one) => one.message === message) === at);
}

function isComponent(name: string): boolean {
  return componentNames.some((one) => one === name);
}

const known = componentNames.map((name) => `<${name}>`).join(', ');

function explainTag(tag: string, isClosing: boolean, name: string, rest: string): string {
  if (tag === '<!--') return 'Visitors would see this note. Remove it.';
  if (!isComponent(name)) {
    const nearest = findNearest((name + rest).replace(/\W/g, ''), componentNames);
    const guess = nearest ? `Did you mean <${nearest}>?` : `Remove it. The known ones are ${known}.`;
    return `<${name}> is not known here. ${instead[name.toLowerCase()] ?? guess}`;
  }
  const right = name === wrappingComponent ? `<${name}>words</${name}>` : `<${name} />`;
  if (rest.replace('/', '').trim()) return `<${name}> takes nothing but its name: ${right}.`;
  if (!tag.endsWith('>')) return `<${name} lacks its end: ${right}.`;
  if (name !== wrappingComponent) {
    return isClosing ? `</${name}> stands alone. Write ${right}.` : `<${name}> needs a slash: ${right}.`;
  }
  if (rest.includes('/')) return `<${name} /> has no words: ${right}.`;
  return isClosing ? `</${name}> closes what nothing opens: ${right}.` : `<${name}> is not closed: ${right}.`;
}
