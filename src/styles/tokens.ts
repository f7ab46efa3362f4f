import sheet from './tokens.css?raw';

/**
 * Reads the night value of a token from the style sheet, for what no style sheet reaches.
 *
 * @throws Error that names the token when there is none.
 */
export function readToken(name: string): string {
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(sheet)?.[1];
  if (!value) throw new Error(`src/styles/tokens.css has no --${name}. Add it, or use one that is there.`);
  return value;
}
