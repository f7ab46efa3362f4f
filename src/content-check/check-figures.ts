import { facts } from '../facts.ts';
import { placeholders, social } from '../site.ts';
import type { Fault } from './fault.ts';

/** What to write instead of a value. The longest value comes first, because one may contain another. */
const namings = [
  ...Object.entries(facts).map(([name, value]) => ({ value, name: `{${name}}`, isFact: true })),
  { value: social.discord.link, name: '<DiscordLink>words</DiscordLink>', isFact: false },
  { value: placeholders.PUBLIC_SUPPORT_EMAIL, name: '<SupportEmail />', isFact: false },
  { value: placeholders.PUBLIC_SUPPORT_PHONE, name: '<SupportPhone />', isFact: false },
]
  // A number with two digits can mean anything.
  .filter(({ value }) => value.length > 2)
  .toSorted((a, b) => b.value.length - a.value.length)
  .map((naming) => ({ ...naming, pattern: makePattern(naming.value) }));

/** Matches a whole figure or name outside of curly brackets, with any kind of dash and space. */
function makePattern(value: string): RegExp {
  const spelled = RegExp.escape(value)
    .replaceAll('\\x2d', '[-–—]')
    .replaceAll('\\x25', '\\s?%')
    .replaceAll('\\x20', '\\s+');
  return new RegExp(
    `(?<![\\p{L}\\d{$€£/@]|\\d[.,]|\\{\\s*['"]?)${spelled}(?![\\p{L}\\d@]|[.,/]\\d|\\.\\p{L})`,
    'iu',
  );
}

const names = Object.keys(facts).join('|');

/** The name of a fact as other programs write it: ${app}, $app, %app%, [app]. */
const foreign = new RegExp(
  `\\$\\{\\s*(${names})\\s*\\}|\\$(${names})(?!\\w)|%(${names})%|\\[(${names})\\](?!\\()`,
);

/**
 * Lists the lines of a file that repeat the value of a fact, or name one in a foreign way. Such a copy goes stale when the
 * fact changes.
 */
export function findTypedFacts(code: string): Fault[] {
  const end = code.split('\n').findIndex((line, index) => index > 0 && line.startsWith('---'));
  return code.split('\n').flatMap((text, index) => {
    const message = explainFact(text, index < end);
    return message ? [{ line: index + 1, message }] : [];
  });
}

function explainFact(text: string, isField: boolean): string | undefined {
  const [typedName, ...found] = foreign.exec(text) ?? [];
  if (typedName) return `${typedName} does not work. Write {${found.find(Boolean)}}.`;
  const naming = namings.find(({ pattern }) => pattern.test(text));
  if (!naming) return undefined;
  const { value, name, isFact } = naming;
  const typed = `"${naming.pattern.exec(text)![0]}"`;
  if (!isFact && isField) return `${typed} does not work in a field. Write it in a text, as ${name}.`;
  const other = isFact && /\d/.test(value) ? ` If you mean another figure, write {${value}}.` : '';
  return `${typed} is written once for the whole site. Write ${name} instead.${other}`;
}
