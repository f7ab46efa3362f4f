import { face, unit } from './isometric.ts';

/** A block on the ground: where it is and how large. */
export type Footprint = readonly [x: number, y: number, width: number, depth: number];

const ground = face('top', [0, 0, 0], [0, 0, 0]);
const steps = 12;

/** The soft shadow of blocks where they touch the ground. A filter would be more work for browsers. */
export function Shadow({ of, reach }: { of: readonly Footprint[]; reach: number }) {
  const outlines = of.map((block) => {
    const [left, back, across, down] = block.map((length) => Math.round(length * unit));
    return `M${left} ${back}h${across}v${down}h-${across}z`;
  });
  return (
    <g className="shadow" transform={ground}>
      {Array.from({ length: steps }, (_, step) => (
        <path
          key={step}
          strokeWidth={Math.round(2 + 2 * reach * (step / steps) ** 2)}
          d={outlines.join('')}
        />
      ))}
    </g>
  );
}
