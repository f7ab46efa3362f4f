import { facts } from '../facts.ts';
import { placeholders, social } from '../site.ts';
import type { Fault } from './read-source.ts';

/** What stands in place of a value: the longest value first, since one may hold another. */
const namings = [
  ...Object.entries(facts).map(([name, value]) => [value, `{${name}}`] as const),
  [social.discord.link, '<DiscordLink>…</DiscordLink>'] as const,
  [placeholders.PUBLIC_SUPPORT_EMAIL, '<SupportEmail />'] as const,
  [placeholders.PUBLIC_SUPPORT_PHONE, '<SupportPhone />'] as const,
]
  // A number of two digits can mean anything.
  .filter(([value]) => value.length > 2)
  .toSorted(([a], [b]) => b.length - a.length);

/** Lists the lines of a content file that hold the value of a fact: typed twice, it is wrong in one place some day. */
export function findTypedFacts(code: string): Fault[] {
  return code.split('\n').flatMap((text, index) => {
    const naming = namings.find(([value]) => text.includes(value));
    if (!naming) return [];
    const [value, name] = naming;
    return [
      { line: index + 1, message: `"${value}" is written once for the whole site. Write ${name} instead.` },
    ];
  });
}
