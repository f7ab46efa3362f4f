import { componentNames, wrappingComponent } from '../content-syntax.ts';
import { facts } from '../facts.ts';
import { figures, placeholders, social } from '../site.ts';
import { findNearest } from './nearest.ts';
import type { Fault } from './read-source.ts';

type Explained = Omit<Fault, 'line'>;

/** What an editor writes for a fact or a component. */
function writeName(name: string): string {
  if (name === wrappingComponent) return `<${name}>words</${name}>`;
  return name in facts ? `{${name}}` : `<${name} />`;
}

/** Suggests the fact or the component that was probably meant; `undefined` when none is similar. */
export function suggestName(typed: string): string | undefined {
  if (!/^[{<]/.test(typed)) return undefined;
  const names = allNames.map((name) => (name in facts ? `{${name}}` : `<${name}>`));
  const nearest = findNearest(typed.replace(/\s[\w-]+=.*>/, '>'), names);
  return nearest && `Did you mean ${writeName(nearest.slice(1, -1))}?`;
}

/** Lists facts and components that are written incorrectly, and values of facts that were typed instead of their names. */
export function findTypedFacts(code: string): Fault[] {
  return code.split('\n').flatMap((text, index) => {
    return [...explainNames(text), ...explainValues(text)].map((fault) => ({ ...fault, line: index + 1 }));
  });
}

const some = (names: readonly string[]) => `(?<name>${names.join('|')})`;
const factNames = Object.keys(facts);
const allNames = [...factNames, ...componentNames];
/** The names that are not English words. */
const unusualNames = allNames.filter((name) => /.[A-Z]/.test(name));

/** A name with or without brackets. Correct ones match too. */
const anyName = new RegExp(
  [
    String.raw`<\s*/?\s*${some(componentNames)}\b[^<>]*>?`,
    String.raw`\x60?[$%[{]+\s*${some(allNames)}\s*[%\]}]+\x60?(?!\()`,
    String.raw`\$${some(factNames)}\b`,
    String.raw`\b${some(factNames)}\}`,
    String.raw`\{?(?<!\w)${some(unusualNames)}(?!\w)`,
  ].join('|'),
  'g',
);

function explainNames(text: string): Explained[] {
  const wrong = [...text.matchAll(anyName)].flatMap(({ 0: found, groups }) => {
    const [typed, name] = [found.trim(), groups!.name!];
    return isRight(typed, name)
      ? []
      : [{ typed, message: `${typed} does not work. Write ${writeName(name)}.` }];
  });
  const doubled = [...text.matchAll(/(\{\s*(\w+)\s*\})[\s-]*(%|\p{L}+)/gu)]
    .filter(([, , name, unit]) => facts[name!]?.match(/(?<=^\d.*)(%|\p{L}+)/gu)?.includes(unit!))
    .map(([typed, fact, , unit]) => ({ typed, message: `${typed} says "${unit}" twice. Write ${fact}.` }));
  return [...wrong, ...doubled];
}

function isRight(typed: string, name: string): boolean {
  if (name in facts) return /^\{\s*\w+\s*\}$/.test(typed);
  return (name === wrappingComponent ? /^<\/?\w+>$/ : /^<\w+\s*\/>$/).test(typed);
}

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
  ...Object.entries(facts).map(([name, value]) => ({ value, right: writeName(name) })),
  ...['+', ' years', ' or older'].map((unit) => ({
    value: figures.minimumAge + unit,
    right: writeName('minimumAge') + unit,
  })),
  { value: social.discord.link, right: `${writeName(wrappingComponent)} in a text` },
  { value: placeholders.PUBLIC_SUPPORT_EMAIL, right: `${writeName('SupportEmail')} in a text` },
  { value: placeholders.PUBLIC_SUPPORT_PHONE, right: `${writeName('SupportPhone')} in a text` },
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

function explainValues(text: string): Explained[] {
  return namings.flatMap(({ pattern, value, right }) =>
    [...text.matchAll(pattern)].map(([typed]) => {
      const other = /^\d/.test(value) ? ` If you mean another figure, write {${typed}}.` : '';
      const message = `"${typed}" is a fact of the whole site. Write ${right} instead.${other}`;
      return { typed, message };
    }),
  );
}
