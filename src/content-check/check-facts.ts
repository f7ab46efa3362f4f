import { componentNames, wrappingComponent } from '../content-syntax.ts';
import { facts } from '../facts.ts';
import { figures, placeholders, social } from '../site.ts';
import { findNearest } from '../../ground/nearest.ts';
import type { Entry, Fault } from './read-source.ts';

/** What an editor writes for each fact and component. */
const written: Record<string, string> = {
  ...Object.fromEntries(Object.keys(facts).map((name) => [name, `{${name}}`])),
  ...Object.fromEntries(componentNames.map((name) => [name, `<${name} />`])),
  [wrappingComponent]: `<${wrappingComponent}>words</${wrappingComponent}>`,
};

/** Suggests the one of some facts and components that was probably meant; `undefined` when none is similar. */
export function suggestName(typed: string, names = Object.keys(written)): string | undefined {
  if (!/^[{<]/.test(typed)) return undefined;
  const nearest = findNearest(
    typed.replace(/\s[\w-]+=.*>/, '>'),
    names.map((name) => (name in facts ? `{${name}}` : `<${name}>`)),
  );
  return nearest && `Did you mean ${written[nearest.slice(1, -1)]}?`;
}

/** Lists facts and components that are written incorrectly, and values of facts that were typed instead of their names. */
export function findTypedFacts({ parts, text }: Entry): Fault[] {
  const fields = parts.map((part) => ({ ...part, isField: true }));
  const lines = text.split('\n').map((words, index) => ({ words, line: index + 1, isField: false }));
  return [...fields, ...lines].flatMap(({ words, line, isField }) =>
    [...explainNames(words, isField), ...explainValues(words)].map((fault) => ({ ...fault, line })),
  );
}

const some = (names: readonly string[]) => `(?<name>${names.join('|')})`;

/** A name with or without brackets. Correct ones match too. */
const anyName = new RegExp(
  [
    String.raw`<\s*/?\s*${some(componentNames)}\b[^<>]*>?`,
    // In [{app}](/about), the square brackets belong to a link.
    String.raw`\x60?(?!\[[^\]]*\]\()[$%[{]+\s*${some(Object.keys(written))}\s*[%\]}]+\x60?(?!\()`,
    String.raw`\$${some(Object.keys(facts))}\b`,
    String.raw`\b${some(Object.keys(facts))}\}`,
    // Names that are not English words.
    String.raw`(\{\s*)?(?<!\w)${some(Object.keys(written).filter((name) => /.[A-Z]/.test(name)))}(?!\w)`,
  ].join('|'),
  'g',
);

function explainNames(text: string, isField: boolean): Omit<Fault, 'line'>[] {
  const wrong = [...text.matchAll(anyName)]
    .map(({ 0: found, groups }) => ({ typed: found.trim(), right: written[groups!.name!]! }))
    .filter(({ typed, right }) => !right.split('words').map(tidy).includes(tidy(typed)))
    .map(({ typed, right }) => {
      const where = isField && right.startsWith('<') ? ' in a text instead' : '';
      return { typed, message: `${typed} does not work. Write ${right}${where}.` };
    });
  const doubled = [...text.matchAll(/(\{\s*(\w+)\s*\})[\s-]*(%|per[\s-]?cent|\p{L}+)/gu)]
    .filter(([, , name, word]) => {
      const unit = word!.replace(/^per[\s-]?cent$/, '%');
      return new RegExp(`^\\d.*(\\b${unit}\\b|${unit}$)`).test(facts[name!] ?? '');
    })
    .map(([typed, fact, , unit]) => ({ typed, message: `${typed} says "${unit}" twice. Write ${fact}.` }));
  return [...wrong, ...doubled];
}

/** Removes the spaces that may be inside of brackets. */
const tidy = (typed: string) => typed.replace(/(?<=^\{)\s+|\s+(?=(\}|\/>)$)/g, '');

/** Other ways to write the parts of a figure. */
const spellings: Record<string, string> = {
  ' ': '[\\s-]*',
  '-': '\\s?(?:[-–—/]|to|or|and)\\s?',
  '%': '(?:\\s?%|[\\s-]?per[\\s-]?cent)',
  business: '(?:business|working)',
  hours: '(?:hours?|hrs?|h)',
  older: '(?:older|over|above)',
};

/** What to write instead of a value. The longest value comes first, because one may contain another. */
const namings = [
  ...Object.entries(facts).map(([name, value]) => ({ value, right: written[name]! })),
  ...['+', ' years', ' or older'].map((unit) => ({
    value: figures.minimumAge + unit,
    right: written.minimumAge! + unit,
  })),
  { value: social.discord.link, right: `${written[wrappingComponent]} in a text` },
  { value: placeholders.PUBLIC_SUPPORT_EMAIL, right: `${written.SupportEmail} in a text` },
  { value: placeholders.PUBLIC_SUPPORT_PHONE, right: `${written.SupportPhone} in a text` },
]
  // A number with two digits can mean anything.
  .filter(({ value }) => value.length > 2)
  .toSorted((a, b) => b.value.length - a.value.length)
  .map((naming) => ({ ...naming, pattern: makePattern(naming.value) }));

/** Matches a whole figure or name outside of curly brackets, also as `30-day`, `85 percent`, `1000` or `2 to 3`. */
function makePattern(value: string): RegExp {
  const spelled = value.replace(/[\d,]*\d|\p{L}+|./gu, (part) => {
    const typed = /[\p{L}\d]/u.test(part) ? part.replaceAll(',', '[,.\\s]?') : RegExp.escape(part);
    return spellings[part] ?? typed.replace(/s$/, 's?');
  });
  return new RegExp(
    `(?<![\\p{L}\\d{$€£/@]|\\d[.,]|\\{\\s*['"]?)${spelled}(?![\\p{L}\\d@]|[.,/]\\d|\\.\\p{L})`,
    'giu',
  );
}

function explainValues(text: string): Omit<Fault, 'line'>[] {
  return namings.flatMap(({ pattern, value, right }) =>
    [...text.matchAll(pattern)].map(([typed]) => {
      const other = /^\d/.test(value) ? ` If you mean another figure, write {${typed}}.` : '';
      const message = `"${typed}" is defined once for the whole site. Write ${right} instead.${other}`;
      return { typed, message };
    }),
  );
}
