import type { ReactNode } from 'react';
import { Block } from './block.tsx';
import { type Triple, unit } from './isometric.ts';

interface CrateProps {
  at: Triple;
  /** The length of an edge. */
  edge?: number;
  of?: 'steel' | 'lamp';
  isBraced?: boolean;
  /** The label on its left face. */
  left?: ReactNode;
}

/** A framed box, which represents the things that creators drop and sell. */
export function Crate({ at, edge = 1.2, of, isBraced = true, left }: CrateProps) {
  const length = edge * unit;
  const brace = isBraced ? `M3 ${length - 3}L${length - 3} 3` : '';
  const frame = `M0 3h${length}M0 ${length - 3}h${length}M3 0v${length}M${length - 3} 0v${length}`;
  return (
    <Block
      at={at}
      size={[edge, edge, edge]}
      of={of}
      left={
        <>
          <path className="frame" d={frame} />
          {left}
        </>
      }
      right={<path className="frame" d={frame + brace} />}
      top={<path className="frame" d={frame} />}
    />
  );
}
