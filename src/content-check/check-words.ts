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
  [
    /\[[^\]\n]*\(\/[^)\n]*\)|\)\(\/|\]\s+\[\/|\[\[/,
    `A link has its words in square brackets and its address in round ones: ${link}.`,
  ],
  [/!\[/, 'A picture is not complete: ![what it shows](/file.png).'],
  [/\[!\w+\]/, 'Visitors would see the square brackets. Remove them.'],
  [/^#{2,6}[^#\s]/m, 'A space belongs between the # signs and the heading: ## Heading.'],
  [
    /^(-|\d+[.)]|[•·–—*+] ?)\p{L}.*\n(-|\d+[.)]|[•·–—*+] ?)\p{L}/mu,
    'A line of a list begins with a hyphen and a space: - words.',
  ],
  [/`/, 'A backtick ` has no partner. Remove it.'],
  [/^\|.*\|$/m, 'A table needs a second line of hyphens: | --- | --- |.'],
  [/\*\*[^*\s][^*\n]*\p{P}\*\*(?=\p{L})/u, 'A space belongs behind the bold words: **Words:** more.'],
  [
    /(?<![*\p{L}])\*\*(?!\*)|(?<!\*)\*\*(?![*\p{L}])/u,
    '** has no partner. Bold is **bold**, without spaces inside.',
  ],
  [
    /(?<=[\s("“])\*(?=\p{L})|(?<![\w*/])\*(\s\p{L}{2}[^*\n]*|\p{L}[^*\n]*\s)\*(?![\w*])/u,
    'A star * has no partner. Italic is *italic*, without spaces inside.',
  ],
  [
    /(?<!\w)(__?)(?:\s\p{L}{2}[^_\n]*|\p{L}[^_\n]*\s)\1(?!\w)/u,
    'An underscore _ has no partner. Italic is *italic*, bold is **bold**, without spaces inside.',
  ],
  [/==\p{L}[^=\n]*==/u, 'Visitors would see the signs ==. Remove them, or write **bold**.'],
  [/(?<![^\s])(\/\*|%%) |^\/\/ /m, 'Visitors would see this note. Remove it.'],
  [/^:::/m, 'Visitors would see the colons :::. Remove them.'],
  [/\\[nrt](?!\p{Ll})/u, 'A backslash \\ and its letter are shown as typed. Remove both.'],
  [/<\/?>|<[%?!](?!--)/, 'Visitors would see the pointed brackets. Remove them.'],
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
  const braces = [...words.matchAll(/\{+([^{}]*)(\}?)/g)].map(
    ({ 0: typed, 1: inner = '', 2: closed, index }) => {
      const name = inner.trim();
      if (!closed) {
        return {
          index,
          message: 'A curly bracket is opened and not closed. A fact is a name in two brackets: {app}.',
        };
      }
      if (/^\(\s*(\/|#|https?:)/.test(words.slice(index + typed.length)))
        return { index, message: `The words of a link stand in square brackets: ${link}.` };
      if (isComponent(name))
        return { index, message: `A contact stands in pointed brackets: ${write(name)}.` };
      if (/^[\d.,]+\s?%?$/.test(name))
        return { index, message: `{${name}} needs no brackets. Write ${name}.` };
      if (Object.hasOwn(facts, name))
        return { index, message: `Write {${name}}, with one bracket on each side.` };
      if (/^\/\*|^\/\//.test(name)) return { index, message: 'Visitors would see this note. Remove it.' };
      const inside = names.find((one) => name.replace(/^\W+|\W.*$/g, '') === one);
      if (inside && !/[\s-]/.test(name))
        return { index, message: `Write {${inside}}, with nothing else between the brackets.` };
      if (!/^[\w\s-]*[a-z][\w\s-]*$/i.test(name)) {
        return {
          index,
          message: `{${name}} is not a fact. Curly brackets hold the name of one, such as {app}.`,
        };
      }
      const known = names.map((known) => `{${known}}`);
      const guess = suggest(`{${name.replace(/[\s_-]/g, '')}}`, known, 'The facts are');
      return { index, message: `There is no fact {${name}}. ${guess}` };
    },
  );
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
  return tags.flatMap(({ 0: tag, 2: slash, 3: space, 4: name = '', 5: rest = '', index }): Leftover[] => {
    // Before a space, < means "less than".
    if (space && !isComponent(name)) return [];
    // An opening and a closing tag count as one mistake.
    const first = tags.find((one) => (one[4] ?? '').toLowerCase() === name.toLowerCase());
    if (first && first.index < index) return [];
    return [{ index, message: explainTag(tag, Boolean(slash), name, rest) }];
  });
}

function isComponent(name: string): boolean {
  return componentNames.some((one) => one === name);
}

/** How a component is written. */
function write(name: string): string {
  return name === wrappingComponent ? `<${name}>words</${name}>` : `<${name} />`;
}

const known = componentNames.map((name) => `<${name}>`).join(', ');

function explainTag(tag: string, isClosing: boolean, name: string, rest: string): string {
  if (tag === '<!--') return 'Visitors would see this note. Remove it.';
  if (!isComponent(name)) {
    const nearest = findNearest((name + rest).replace(/\W/g, ''), componentNames);
    const guess = nearest ? `Did you mean <${nearest}>?` : `Remove it. The known ones are ${known}.`;
    return `<${name}> is not known here. ${instead[name.toLowerCase()] ?? guess}`;
  }
  const right = write(name);
  if (rest.replace('/', '').trim()) return `<${name}> takes nothing but its name: ${right}.`;
  if (!tag.endsWith('>')) return `<${name} lacks its end: ${right}.`;
  if (name !== wrappingComponent) {
    return isClosing ? `</${name}> stands alone. Write ${right}.` : `<${name}> needs a slash: ${right}.`;
  }
  if (rest.includes('/')) return `<${name} /> has no words: ${right}.`;
  return isClosing ? `</${name}> closes what nothing opens: ${right}.` : `<${name}> is not closed: ${right}.`;
}
