import type { Fault } from '../../shared/read-values.ts';
import { placeholders, social } from './site.ts';

// The example domains of RFC 2606, and the sample domains of our docs.
const RESERVED =
  /(^|\.)(example(\.(com|net|org))?|your-domain(\..+)?|your-project\..+|name\.account\.workers\.dev)$/;

/** The placeholders that the product ships with, by the value that they stand for. */
export const shipped: Record<string, string | undefined> = placeholders;

/** Finds what the owner has to replace in a value: all of it, or a host. */
export function findPlaceholder(variable: string, value: string): Fault | undefined {
  const sample = value === shipped[variable] ? value : findReservedHost(value);
  const text = `${variable} is a placeholder: replace ${sample} with your own.`;
  return sample ? { variable, text } : undefined;
}

/** Lists the links of `src/config/site.ts` that are still placeholders. */
export function findPlaceholderLinks(): Fault[] {
  return Object.entries(social).flatMap(
    ([network, { link }]) => findPlaceholder(`social.${network}.link in src/config/site.ts`, link) ?? [],
  );
}

/** Finds the first host or mail domain in a text that is reserved for examples. */
export function findReservedHost(text: string): string | undefined {
  const hosts = text.matchAll(/(?:\/\/|@)([^\s/:?#,<>@"]+)/g).map(([, host = '']) => host.toLowerCase());
  return hosts.find((host) => RESERVED.test(host));
}
