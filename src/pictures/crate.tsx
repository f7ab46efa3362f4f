import type { ReactNode } from 'react';
import { Block, frameWidth } from './block.tsx';
import { type Triple, unit } from './isometric.ts';

interface CrateProps {
  at: Triple;
  edge: number;
  of?: 'steel' | 'lamp';
  /** The outlines of a word that is painted on it. */
  label?: string;
  left?: ReactNode;
}

/** A framed box, which represents the things that creators drop and sell. */
export function Crate({ at, edge, of, label, left }: CrateProps) {
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
      left={label ? <path className={of === 'lamp' ? 'ink' : 'glow'} d={label} /> : left}
      right={<path className="frame" d={brace} />}
    />
  );
}
