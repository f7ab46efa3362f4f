import { findNearest } from '../../../shared/nearest.ts';
import { componentNames } from '../syntax.ts';
import { facts } from '../facts.ts';
import type { Problem } from './problem.ts';

/** Where words are: in a field, in the subject or preview of an announcement, or in the text of a page or of an email. */
type Place = 'fields' | 'subjects' | 'texts' | 'emails';

const factNames = Object.keys(facts);
/** The facts as somebody may spell them: `free share` for `freeShare`. */
const looseNames = factNames.map((name) => name.replace(/[A-Z]/g, '\\W*$&')).join('|');
const elements =
  'a|b|i|p|s|u|br|hr|em|h[1-6]|li|ol|ul|td|th|tr|del|div|img|ins|pre|sub|sup|font|span|table|center|strong|script';

/** What visitors would see as typed, what to do about it, and where it is wrong, if not everywhere. */
const rules: { pattern: RegExp; cure: string; only?: Place[] }[] = [
  // The name of the reader, as other programs fill it in: {{name}}, |FNAME|, %name%, [First Name].
  {
    pattern: /\{\{.*?\}\}|\|[A-Z_]{3,}\||(?<!\d)%[a-z][\w.]*%|\[[^\]\n]*name\]/gi,
    cure: 'Every member gets the same words, so a message cannot contain a name. Remove it.',
    only: ['emails', 'subjects'],
  },
  // A comment, or what a program inserted: <!-- -->, {/* */}, {% %}, 【4†source】. Markdown takes the stars for italic words.
  {
    pattern: /<!--.*|\{\/\*?.*?\*?\/\}|\{[%#].*?[%#]\}|【[^】\n]*†[^】\n]*】/g,
    cure: 'It would not be hidden. Delete it.',
  },
  // An address in angle brackets.
  {
    pattern: /<(https?:|mailto:|www\.)[^<>\s][^<>\n]*>|<[\w.+-]+@[\w.-]+\.\w+>/gi,
    cure: 'Write the address without < and >, or as [words](https://…).',
  },
  // An HTML element, a component, or any tag that closes, but not a<b>c.
  {
    pattern: new RegExp(
      String.raw`(?<!\w(?=<\w>))</?(${elements}|${componentNames.join('|')})\b(\s[^<>]*=[^<>]*|\s*/?)>|</[a-z][^<>]*>|<[a-z][^<>]*/>`,
      'gi',
    ),
    cure: 'Remove it. Write **bold**, *italic*, [words](/address), and an empty line for a new paragraph.',
  },
  // One word in curly brackets, or a fact with a space in it or without the second bracket.
  {
    pattern: new RegExp(String.raw`\{+[\w-]+\}+|\{+\W*(${looseNames})\b[^\w\n]*?(\}+|\s|$)`, 'gim'),
    cure: `The facts are {${factNames.join('}, {')}}.`,
  },
  // A link or a picture that Markdown cannot read.
  {
    pattern:
      /!?\[[^\]\n]*\]\s?\(\s?(\/|#|https?:|mailto:|tel:)[^)\n]*\)?|!\[[^\]\n]*\]\s?[[(][^\])\n]*[\])]?|\([^()\n]+\)\[(\/|#|https?:)[^\]\n]*\]/g,
    cure: 'A link is [words](/address) and a picture ![what it shows](/file.jpg), without spaces in it.',
  },
  // Formatting where there is none.
  {
    pattern:
      /\*\*\S[^*\n]*\*\*|(?<![\w*])\*[^\s*]([^*\n]*[^\s*])?\*(?![\w*])|`[^`\n]+`|~~\S.*?~~|&(amp|lt|gt|quot|nbsp|hellip|[nm]dash|#\w+);/g,
    cure: 'A field is plain words.',
    only: ['fields', 'subjects'],
  },
];

/** What an editor writes for each fact and component. */
const written = [...factNames.map((name) => `{${name}}`), ...componentNames.map((name) => `<${name} />`)];

/** Lists what is wrong with words that begin at the line `top` of a file, after facts are filled in. */
export function checkMarkup(words: string, top: number, place: Place): Problem[] {
  const hint = place === 'texts' ? ' To show it, put it in `backticks`.' : '';
  return rules
    .filter(({ only }) => !only || only.includes(place))
    .flatMap(({ pattern, cure }) =>
      [...words.matchAll(pattern)].map(({ 0: found, index }) => ({ found, index, cure })),
    )
    .filter(({ found, index }, at, all) => {
      // What one rule has found, the later ones do not find again.
      const overlaps = (one: (typeof all)[number]) =>
        index < one.index + one.found.length && one.index < index + found.length;
      return !all.slice(0, at).some(overlaps);
    })
    .map(({ found, index, cure }) => {
      const [typed = ''] = found.trim().split('\n');
      const line = top + words.slice(0, index).split('\n').length - 1;
      const advice = (suggestName(typed, place) ?? cure) + hint;
      return { line, message: `Visitors would see ${typed} as typed. ${advice}` };
    });
}

/** Suggests the fact or component that was probably meant; `undefined` when none is similar. */
function suggestName(typed: string, place: Place): string | undefined {
  const [, fact, tag] = /^\{+([^/*%#}]+)|^<\/?(\w+)/.exec(typed) ?? [];
  const right = findNearest(fact ? `{${fact.replace(/\W/g, '')}}` : `<${tag} />`, written);
  if (!right) return undefined;
  const isUsable = !/fields|subjects/.test(place) || right.startsWith('{');
  return isUsable ? `Did you mean ${right}?` : `${right} works in texts only.`;
}
