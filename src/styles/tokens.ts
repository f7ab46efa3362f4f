import sheet from './tokens.css?raw';

/**
 * Reads the night or the day value of a token from the style sheet, for code that cannot use custom properties. A token
 * without a day value has the same one by day. Throws an Error with the name of a token that does not exist.
 */
export function readToken(name: string, scheme: 'night' | 'day' = 'night'): string {
  const day = scheme === 'day' ? sheet.slice(sheet.indexOf('prefers-color-scheme: light')) : '';
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(day + sheet)?.[1];
  if (!value) throw new Error(`src/styles/tokens.css has no --${name}. Add it, or use an existing one.`);
  return value;
}
