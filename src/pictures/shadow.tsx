import { face, type Triple, unit } from './isometric.ts';

interface ShadowProps {
  of: readonly { at: Triple; size: Triple }[];
  reach: number;
}

const ground = face('top', [0, 0, 0], [0, 0, 0]);
const steps = 12;

/** The soft shadow of blocks where they touch the ground. A filter would be more work for browsers. */
export function Shadow({ of, reach }: ShadowProps) {
  const outlines = of.map(({ at: [x, y], size: [width, depth] }) => {
    const [left, back, across, down] = [x, y, width, depth].map((length) => Math.round(length * unit));
    return `M${left} ${back}h${across}v${down}h-${across}z`;
  });
  return (
    <g className="shadow" transform={ground.transform}>
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
