import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blend, measureContrast, parseColor } from './colors.ts';

const sheet = readFileSync(new URL('../../src/styles/tokens.css', import.meta.url), 'utf8');
const [night, day, both] = [
  /^:root,\s*\.night \{([^}]*)/m,
  /light\) \{\s*:root \{([^}]*)/,
  /^:root \{([^}]*)/m,
].map((block) => readTokens(block.exec(sheet)?.[1] ?? ''));
const schemes = { night: { ...both, ...night }, day: { ...both, ...night, ...day } };

/** Text tokens and the surfaces that they may be on. A surface `a + b` is token b over token a. */
const inks = [
  {
    ink: ['text', 'text-quiet', 'accent', 'accent-strong'],
    on: ['surface', 'surface-raised', 'surface + lamplight'],
  },
  { ink: ['on-lamp'], on: ['lamp', 'lamp-pale'] },
  { ink: ['lamp'], on: ['on-lamp', 'steel'] },
] as const;

/** Shutters are in parts of the page that are dark in both schemes. */
const nightInks = [{ ink: ['text', 'accent'], on: ['steel-lit', 'steel', 'steel-dark'] }] as const;

/** Edges, outlines and icons, which need less contrast, and the surfaces behind them. */
const shapes = [
  { ink: ['line-strong'], on: ['surface', 'surface-raised'] },
  { ink: ['accent', 'accent-strong'], on: ['surface', 'surface-raised', 'surface-sunk'] },
  { ink: ['signal'], on: ['surface'] },
  { ink: ['on-lamp'], on: ['lamp'] },
] as const;

describe.each(Object.entries(schemes))('in the %s scheme', (name, tokens) => {
  const pairs = [...inks, ...(name === 'night' ? nightInks : [])].flatMap(combine);

  it.each(pairs)('%s is readable on %s', (ink, surface) => {
    expect(measure(tokens, ink, surface)).toBeGreaterThanOrEqual(4.5);
  });

  it('a placeholder in a field is readable', () => {
    const opacity = /::placeholder \{[^}]*opacity: ([\d.]+)/.exec(
      readFileSync(new URL('../../src/styles/controls.css', import.meta.url), 'utf8'),
    )?.[1];
    const ink = Object.assign(parseColor(tokens['text-quiet'] ?? ''), { alpha: Number(opacity ?? 1) });
    const surface = parseColor(tokens['surface-raised'] ?? '');
    expect(measureContrast(blend([surface, ink]), surface)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapes.flatMap(combine))('%s stands out from %s', (ink, surface) => {
    expect(measure(tokens, ink, surface)).toBeGreaterThanOrEqual(3);
  });
});

function combine({ ink, on }: { ink: readonly string[]; on: readonly string[] }): [string, string][] {
  return ink.flatMap((above) => on.map((below): [string, string] => [above, below]));
}

function measure(tokens: Record<string, string>, ink: string, surface: string): number {
  const read = (token: string) => {
    const value = tokens[token];
    if (!value) throw new Error(`tokens.css has no --${token}`);
    return parseColor(value);
  };
  return measureContrast(read(ink), blend(surface.split(' + ').map(read)));
}

function readTokens(block: string): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*(#\w+|rgb\([^)]*\));/g)].map(([, name, value]) => [name, value]),
  );
}
