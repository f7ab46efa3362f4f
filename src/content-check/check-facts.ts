import { componentNames, wrappingComponent } from '../content-syntax.ts';
import { facts } from '../facts.ts';
import { placeholders, social } from '../site.ts';
import type { Fault } from './fault.ts';

/** What an editor writes for a fact or a component. */
export function writeName(name: string): string {
  if (name === wrappingComponent) return `<${name}>words</${name}>`;
  return name in facts ? `{${name}}` : `<${name} />`;
}

/**
 * Lists the lines of a file that write a fact or a component incorrectly, or that contain the value of a fact, which
 * would be outdated when the fact changes.
 */
export function findTypedFacts(code: string): Fault[] {
  return code.split('\n').flatMap((text, index) => {
    const message = explainName(text) ?? explainValue(text);
    return message ? [{ line: index + 1, message }] : [];
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
    String.raw`(?:\{\s*)?<\s*/?\s*${some(componentNames)}\b[^<>]*>?`,
    String.raw`\x60?[$%[{]+\s*${some(allNames)}\s*[%\]}]+\x60?(?!\()`,
    String.raw`\$${some(factNames)}\b`,
    String.raw`\b${some(factNames)}\}`,
    String.raw`\{?(?<!\w)${some(unusualNames)}(?!\w)`,
  ].join('|'),
  'g',
);

function explainName(text: string): string | undefined {
  for (const { 0: typed, groups } of text.matchAll(anyName)) {
    const name = groups!.name!;
    if (!isRight(typed, name)) return `${typed.trim()} does not work. Write ${writeName(name)}.`;
  }
  return undefined;
}

function isRight(typed: string, name: string): boolean {
  if (name in facts) return /^\{\s*\w+\s*\}$/.test(typed);
  return (name === wrappingComponent ? /^<\/?\w+>$/ : /^<\w+\s*\/>$/).test(typed);
}

/** What to write instead of a value. The longest value comes first, because one may contain another. */
const namings = [
  ...Object.entries(facts).map(([name, value]) => ({ value, right: writeName(name) })),
  { value: social.discord.link, right: `${writeName(wrappingComponent)} in a text` },
  { value: placeholders.PUBLIC_SUPPORT_EMAIL, right: `${writeName('SupportEmail')} in a text` },
  { value: placeholders.PUBLIC_SUPPORT_PHONE, right: `${writeName('SupportPhone')} in a text` },
]
  // A number with two digits can mean anything.
  .filter(({ value }) => value.length > 2)
  .toSorted((a, b) => b.value.length - a.value.length)
  .map(({ value, right }) => ({ right, isFigure: /^\d/.test(value), pattern: makePattern(value) }));

/** Matches a whole figure or name outside of curly brackets, also as `30-day`, `85 percent`, `1000` or `2 to 3`. */
function makePattern(value: string): RegExp {
  const spelled = RegExp.escape(value)
    .replaceAll('\\x2d', '\\s?(?:[-–—]|to)\\s?')
    .replaceAll('\\x25', '(?:\\s?%|[\\s-]percent)')
    .replaceAll('\\x2c', '[,.\\s]?')
    .replaceAll('\\x20', '[\\s-]+')
    .replace(/(?<=^\\x3\d.*)s$/, 's?');
  return new RegExp(
    `(?<![\\p{L}\\d{$€£/@]|\\d[.,]|\\{\\s*['"]?)${spelled}(?![\\p{L}\\d@]|[.,/]\\d|\\.\\p{L})`,
    'iu',
  );
}

function explainValue(text: string): string | undefined {
  for (const { pattern, right, isFigure } of namings) {
    const [typed] = pattern.exec(text) ?? [];
    if (!typed) continue;
    const other = isFigure ? ` If you mean another figure, write {${typed}}.` : '';
    return `"${typed}" is a fact of the whole site. Write ${right} instead.${other}`;
  }
  return undefined;
}
