import type { ReactNode } from 'react';
import { face, type Side, type Triple } from './isometric.ts';

interface BlockProps {
  at: Triple;
  size: Triple;
  /** The material of its faces. */
  of?: 'steel' | 'lamp';
  /** Flat drawings on its faces. The origin is the upper left corner of each face. */
  left?: ReactNode;
  right?: ReactNode;
  top?: ReactNode;
}

/** A box of the yard, lit from above. */
export function Block({ at, size, of = 'steel', ...drawings }: BlockProps) {
  const sides: Side[] = ['left', 'right', 'top'];
  return (
    <g className={of}>
      {sides.map((side) => {
        const { transform, width, height } = face(side, at, size);
        return (
          <g key={side} transform={transform}>
            <path className={side} d={`M0 0h${width}v${height}H0z`} />
            {drawings[side]}
          </g>
        );
      })}
    </g>
  );
}
