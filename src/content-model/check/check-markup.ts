import { findNearest } from '../nearest.ts';
import { componentNames } from '../syntax.ts';
import { facts } from '../facts.ts';
import type { Problem } from './problem.ts';

const factNames = Object.keys(facts);
/** A fact as somebody may spell it: `free share` for `freeShare`. */
const looseName = `\\b(${factNames.map((name) => name.replace(/[A-Z]/g, '\\W*$&')).join('|')})\\b`;
const elements =
  'a|b|i|p|s|u|br|hr|em|h[1-6]|li|ol|ul|td|th|tr|del|div|img|ins|pre|sub|sup|font|span|table|center|strong|script';

// What to do about words, by what visitors would see as typed.
const inEmails = {
  // The name of the reader, as other programs fill it in: {{name}}, {$name}, |FNAME|, %name%, [First Name], <name>.
  'Every member gets the same words, so a message cannot contain a name. Remove it.':
    /\{\{.*?\}\}|\{\$?\w*name\}|\|[A-Z_]{3,}\||(?<!\d)%[a-z][\w.]*%|\[[^\]\n]*name\]|<([\w ]*[_ ])?name>/gi,
};

const anywhere = {
  // A comment, or what a program inserted: <!-- -->, {/* */}, {% %}, 【4†source】. Markdown takes the stars for italic words.
  'It would not be hidden. Delete it.': /<!--.*|\{\/\*?.*?\*?\/\}|\{[%#].*?[%#]\}|【[^】\n]*†[^】\n]*】/g,
  'Write the address without < and >, or as [words](https://…).':
    /<(https?:|mailto:|www\.)[^<>\s][^<>\n]*>|<[\w.+-]+@[\w.-]+\.\w+>/gi,
  // An element, a component, or any tag that closes, but not a<b>c.
  'HTML does not work: remove every tag. Write **bold**, *italic*, [words](/address), and an empty line for a new paragraph.':
    new RegExp(
      String.raw`(?<!\w(?=<\w>))</?(${elements}|${componentNames.join('|')})\b(\s[^<>]*=[^<>]*|\s*/?)>|</[a-z][^<>]*>|<[a-z][^<>]*/>`,
      'gi',
    ),
  // What Markdown cannot read: [a] (/b), a](/b), [a(/b), [a]https://b, ![a][b], or (a)[/b].
  'A link is [words](/address) and a picture ![what it shows](/file.jpg), without spaces in it.':
    /(!?\[[^\]\n]*|\S*)\]\s?\(\s?(\/|#|https?:|mailto:|tel:)[^)\n]*\)?|\[[^\]\n]*[^\]\s]\((\/|https?:|mailto:|tel:)[^)\n]*\)|\[[^\]\n]*\]https:\S*|!\[[^\]\n]*\]\s?[[(][^\])\n]*[\])]?|\([^()\n]+\)\[(\/|#|https?:)[^\]\n]*\]/g,
};

const plainWords = 'A field is plain words. Remove these signs, or write the character itself.';
const inFields = {
  [plainWords]:
    /\*\*\S[^*\n]*\*\*|(?<![\w*])\*[^\s*]([^*\n]*[^\s*])?\*(?![\w*])|(?<!\S)_[^_\s]([^_\n]*[^_\s])?_(?![\w.])|`[^`\n]+`|~~\S.*?~~|&(amp|lt|gt|quot|apos|nbsp|hellip|copy|reg|trade|euro|\w+(quo|dash|acute|grave|circ|tilde|uml|cedil|lig)|#\w+);/g,
};

/** What may be meant, so that only a person can tell. */
const perhaps = {
  // A word in curly brackets, but not in an address: a fact that is misspelt or not closed, or what a script asks for.
  [`The facts are {${factNames.join('}, {')}}.`]: new RegExp(
    String.raw`\$?\{+[^\w\n"':=]*${looseName}[^\w\n"':=]*?(\}+|\s|$)|(?<!:\/\/\S*)\{+[\w-]+\}+`,
    'gim',
  ),
  'Delete it if it is not meant for them. In a text, write **bold**, *italic*, [words](/address), and begin a line with "- " or "## ".':
    new RegExp(
      [
        // A mark that begins with its word and does not end: **bold, ##Words, ==new==, ||secret||, [[Page]], a *word, ** words **, or `code.
        String.raw`(?<![\p{L}\d*=|~[#])([*=|~[#])\1+(?=[\p{L}\d“"'(])\S*|(?<= )\*\p{L}\S*|(?<![\p{L}\d*]|\d )\*\*(?!\*)[^*\n]*\*{0,2}|\S*(\S\x60|\x60\S)\S*`,
        // What works elsewhere: [Page][1], [Page](My page), [!NOTE], [app], <app>, <@1>, <:yard:1>, [b]word[/b], :rocket:, {#name}. And 85%% after a fact.
        String.raw`(?<![\w\]])\[[^\]\n]+\](\[[^\]\n]*\]|\([^)\n]+\))|\[!\w+\]|[[<](${factNames.join('|')})[\]>]|<(@|#|t:|a?:\w)[^>\s]*>`,
        String.raw`\S*\[/\w+\]|(?<!\S):[a-z]\w+:(?!\S)|\^\w+\^|\{#[\w-]+\}|\S*% ?%(?!\w)`,
        // What only looks like a list or a table, once: -One, • One, 1)One, a) One and b) Two, → One and ✅ Two, | A |, [ ] One, or A, a tab, and B.
        String.raw`(?<![^])[-+][\p{L}#]\S*|^([-+*#]+\u00A0|[•▪●◦‣·|]|\[[ xX]\] |\d\d?[.)][\p{L}\u00A0])[^]*`,
        String.raw`(^([-–+*→✓✗]|\(?\w\)|\w\.(?= )|\p{ExtPict}\uFE0F?) ?\p{L}.*\n?){2}[^]*|\S+\t\S[^]*`,
        // A quote that begins nowhere in its field, a backslash that ends a text, an invisible character that begins a line, a note, a sample, or the first words of an assistant.
        String.raw`(?<=^[\w-]+: [^"“\n]*)[^\s\d"“]+"$|\S*\\$|^[\u00A0\p{Cf}]+(?=[-+*#]|$)|\bTBD\b|(?<=^|: )TODO\b|\b(TODO|FIXME)([:\]]|\W*$)|// ?TODO\b|[Ll]orem ipsum|^(Sure|Certainly)[!,.] Here.s`,
      ].join('|'),
      'gmu',
    ),
};

/** Lists what is wrong with words that begin at the line `top` of a file, after facts are filled in. */
export function checkMarkup(words: string, top: number, isField: boolean, isEmail = false): Problem[] {
  const rules = { ...(isEmail && inEmails), ...anywhere, ...(isField && inFields), ...perhaps };
  const hint = isField || isEmail ? '' : ' To show it, put it in `backticks`.';
  const problems: Problem[] = [];
  for (const [cure, pattern] of Object.entries(rules)) {
    for (const { 0: found, index } of words.matchAll(pattern)) {
      const [typed = ''] = (found.replace(/^[\s\p{Cf}]+|\s+$/gu, '') || 'an invisible character').split('\n');
      const line = top + words.slice(0, index).split('\n').length - 1;
      const right = suggestName(typed, isField);
      const isForTexts = isField && cure in anywhere && cure.includes('[words]');
      const message = `Visitors would see ${typed} as typed. ${right ?? (isForTexts ? plainWords : cure)}${hint}`;
      // A short word is near to many.
      const isSure =
        !(cure in perhaps) || (right && (RegExp(looseName, 'i').test(typed) || /\w{5}/.test(typed)));
      problems.push({ line, message, ...(!isSure && { isWarning: true }) });
    }
    // The later rules do not find it again.
    words = words.replace(pattern, (found) => found.replace(/./g, '\0'));
  }
  return problems;
}

/** Suggests the fact or component that was probably meant; `undefined` when none is similar. */
function suggestName(typed: string, isField: boolean): string | undefined {
  const [, fact, tag] = /^\$?\{+([^/*%#}]+)|^<\/?(\w+)/.exec(typed) ?? [];
  const written = [...factNames.map((name) => `{${name}}`), ...componentNames.map((name) => `<${name} />`)];
  const right = findNearest(fact ? `{${fact.replace(/\W/g, '')}}` : `<${tag} />`, written);
  if (isField && right?.startsWith('<')) return `${right} works in texts only.`;
  return right && `Did you mean ${right}?`;
}

/** Warns about words that are the value of a fact, which would stay when the fact changes. */
export function findTypedFacts(words: string, line: number): Problem[] {
  // A number with two digits can mean anything.
  const long = Object.entries(facts).filter(([, value]) => value.length > 2);
  return long.flatMap(([name, value]) => {
    // Also as 30-days, 2 to 3, 1000 or 85 percent, but not as a part of another figure, and not in curly brackets.
    const parts = value.split(/[\s-]/).map((part) => RegExp.escape(part).replace('\\x2c', ',?'));
    const spelled = parts.join('([\\s–-]| to )').replace('\\x25', '\\s?(%|per ?cent)');
    const edge = String.raw`(?<![\p{L}\d{$€£/@.,])${spelled}(?![\p{L}\d@}]|[.,]\d)`;
    return [...words.matchAll(new RegExp(edge, 'giu'))].map(([typed]) => {
      const other = /^\d/.test(typed) ? `, or {${typed}} for another figure` : '';
      const message = `"${typed}" is defined once for the whole site. Write {${name}}, so that it changes with it${other}.`;
      return { line, message, isWarning: true };
    });
  });
}
