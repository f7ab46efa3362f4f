import sheet from './tokens.css?raw';

/**
 * Reads a token from the style sheet, for code that cannot use custom properties: its night value, or its day value if it
 * has one.
 *
 * @throws Error with the name of the token when it does not exist.
 */
export function readToken(name: string, scheme: 'night' | 'day' = 'night'): string {
  const start = scheme === 'day' ? sheet.indexOf('prefers-color-scheme: light') : 0;
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(sheet.slice(start))?.[1];
  if (!value) throw new Error(`src/styles/tokens.css has no --${name}. Add it, or use an existing one.`);
  return value;
}
