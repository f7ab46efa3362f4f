import axe from 'axe-core';

interface Color {
  alpha: number;
  parseString(text: string): void;
}

/** What axe calculates contrast with. Its types leave it out: https://github.com/dequelabs/axe-core/tree/develop/lib/commons/color */
const { color } = (
  axe as unknown as {
    commons: {
      color: {
        Color: new () => Color;
        getContrast(ground: Color, ink: Color): number;
        flattenColors(above: Color, ground: Color): Color;
      };
    };
  }
).commons;

/** Reads a color as CSS writes it. Throws an Error when it is none. */
export function parseColor(text: string): Color {
  const parsed = new color.Color();
  parsed.parseString(text);
  return parsed;
}

/** Returns whether a word is the name of a color. */
export function isColorName(word: string): boolean {
  try {
    parseColor(word);
    return true;
  } catch {
    return false;
  }
}

/** Lays colors over each other, the lowest first. */
export function blend(colors: Color[]): Color {
  return colors.reduce((ground, above) => color.flattenColors(above, ground));
}

/** Returns the contrast of WCAG between an ink and the ground below it, from 1 to 21. */
export function measureContrast(ink: Color, ground: Color): number {
  return color.getContrast(ground, ink);
}
