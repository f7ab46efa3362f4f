import { face, type Triple, unit } from './isometric.ts';

/** The place and the size of a block or a crate, as their props have them. */
export interface Placed {
  at?: Triple;
  size?: Triple;
  edge?: number;
}

const ground = face('top', [0, 0, 0], [0, 0, 0]);
const steps = 12;

/** The soft shadow of those blocks that touch the ground. A filter would be more work for browsers. */
export function Shadow({ of, reach }: { of: readonly Placed[]; reach: number }) {
  const outlines = of.map(({ at: [x, y, z] = [0, 0, 1], edge = 0, size = [edge, edge, edge] }) => {
    const [left, back, across, down] = [x, y, ...size].map((length) => Math.round(length * unit));
    return z === 0 ? `M${left} ${back}h${across}v${down}h-${across}z` : '';
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
