import type { ReactNode } from 'react';
import { face, round, type Side, type Triple, unit } from './isometric.ts';

export const frameWidth = 5;

interface BlockProps {
  at: Triple;
  size: Triple;
  of?: 'steel' | 'lamp';
  framed?: readonly Side[];
  /** Flat drawings on its faces. The origin is the upper left corner of each face. */
  left?: ReactNode;
  right?: ReactNode;
  top?: ReactNode;
}

/** A box of the yard, lit from above. */
export function Block({ at, size, of = 'steel', framed = [], ...drawings }: BlockProps) {
  const [width = 0, depth = 0, height = 0] = size.map((length) => round(length * unit));
  // The right face goes first and is as large as the whole box, so that nothing shines through where two faces meet.
  const box = `M${depth} 0l-${width}-${width}h-${depth}v${height}l${width} ${width}h${depth}z`;
  const sides = [
    ['right', depth, height],
    ['left', width, height],
    ['top', width, depth],
  ] as const;
  return (
    <g className={of}>
      {sides.map(([side, across, down]) => {
        const isFramed = framed.includes(side);
        const whole = side === 'right' ? box : `M0 0H${across}V${down}H0z`;
        const [right, bottom] = [across - frameWidth, down - frameWidth];
        return (
          <g key={side} className={side} transform={face(side, at, size)}>
            <path className={isFramed ? 'frame' : undefined} d={whole} />
            {isFramed && <path d={`M${frameWidth} ${frameWidth}H${right}V${bottom}H${frameWidth}z`} />}
            {drawings[side]}
          </g>
        );
      })}
    </g>
  );
}
