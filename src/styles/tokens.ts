import sheet from './tokens.css?raw';

/**
 * Reads the night value of a token from the style sheet, for code that cannot use custom properties.
 *
 * @throws Error with the name of the token when it does not exist.
 */
export function readToken(name: string): string {
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(sheet)?.[1];
  if (!value) throw new Error(`src/styles/tokens.css has no --${name}. Add it, or use an existing one.`);
  return value;
}
