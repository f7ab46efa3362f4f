import type { ReactNode } from 'react';
import { Block, frameWidth } from './block.tsx';
import { type Triple, unit } from './isometric.ts';

interface CrateProps {
  at: Triple;
  edge?: number;
  of?: 'steel' | 'lamp';
  isBraced?: boolean;
  left?: ReactNode;
}

/** A framed box, which represents the things that creators drop and sell. */
export function Crate({ at, edge = 1.2, of, isBraced = true, left }: CrateProps) {
  const near = frameWidth;
  const far = Math.round(edge * unit) - frameWidth;
  // From corner to corner of the frame.
  const brace = `M${near} ${far}v-4L${far - 4} ${near}h4v4L${near + 4} ${far}z`;
  return (
    <Block
      at={at}
      size={[edge, edge, edge]}
      of={of}
      framed={['top', 'left', 'right']}
      left={left}
      right={isBraced && <path className="frame" d={brace} />}
    />
  );
}
