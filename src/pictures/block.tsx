import type { ReactNode } from 'react';
import { face, outline, type Side, silhouette, type Triple } from './isometric.ts';

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
  // The right face goes first and is as large as the whole box, so that nothing shines through where two faces meet.
  const sides: Side[] = ['right', 'left', 'top'];
  return (
    <g className={of}>
      {sides.map((side) => {
        const whole = side === 'right' ? silhouette(at, size) : outline(side, at, size);
        const isFramed = framed.includes(side);
        return (
          <g key={side} className={side}>
            <path className={isFramed ? 'frame' : undefined} d={whole} />
            {isFramed && <path d={outline(side, at, size, frameWidth)} />}
            {drawings[side] && <g transform={face(side, at, size)}>{drawings[side]}</g>}
          </g>
        );
      })}
    </g>
  );
}
