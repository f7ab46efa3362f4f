import { splitList } from './formats.ts';
import { listVariables, type User, type Values, type VariableName, variables } from './variables.ts';

/** Something that is wrong with a value. It never repeats a secret. */
export interface Fault {
  /** The name of the value, or of anything else that is wrong. */
  variable: string;
  /** What is wrong and what to do: "TOKEN_SECRET is missing: set it to …". */
  text: string;
}

/**
 * Reads the values of a user from a source, such as the environment or a file, without the space around them. An empty value
 * counts as missing, because a workflow passes one for a secret that is not set.
 */
export function readValues(source: (name: string) => string | undefined, user: User): Values {
  const values = listVariables(user).map((name) => [name, source(name)?.trim()]);
  return Object.fromEntries(values.filter(([, value]) => value)) as Values;
}

/** Returns what is wrong with one value on its own; `undefined` when nothing is. */
export function findFault(name: VariableName, value: string | undefined): Fault | undefined {
  const { accepts = /\S/, hint, isOptional } = variables[name];
  if (value === undefined)
    return isOptional ? undefined : { variable: name, text: `${name} is missing: set it to ${hint}.` };
  const isAccepted = typeof accepts === 'function' ? accepts(value) : accepts.test(value);
  return isAccepted ? undefined : { variable: name, text: `${name} is malformed: set it to ${hint}.` };
}

/** Picks the values with these names. A value that is missing or empty is omitted. */
export function pickValues(values: Values, names: VariableName[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
}

/** Picks the values that one function or all of them read. */
export function pickFunctionValues(values: Values, user: Exclude<User, 'build' | 'owner'>) {
  return pickValues({ ...values, SITE_URL: listSiteUrls(values).join(',') }, listVariables(user));
}

/** Lists the URLs of all hosts of the site, the main one first. */
export function listSiteUrls({ PUBLIC_SITE_URL = '', SITE_URL = '' }: Values): string[] {
  return [...new Set([PUBLIC_SITE_URL, ...splitList(SITE_URL)].filter(Boolean))];
}
