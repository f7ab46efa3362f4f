import { Children, isValidElement, type ReactElement, type ReactNode } from 'react';
import { formatDollars, splitSales } from '../config/earnings.ts';
import { examples } from '../config/site.ts';
import { Block } from './block.tsx';
import { Crate } from './crate.tsx';
import { project } from './isometric.ts';
import { materials } from './materials.ts';
import { stencil } from './lettering.tsx';
import type { PictogramName } from './names.ts';
import { type Placed, Shadow } from './shadow.tsx';

const [dropPrice] = examples.drops;
const payoutLine = `+${formatDollars(splitSales(dropPrice).kept)}`;
const [payout, me, help, faq] = await Promise.all([
  stencil(payoutLine, 210 / payoutLine.length, 116, 44),
  stencil('/me', 26, 62, 26),
  stencil('HELP', 33, 80),
  stencil('FAQ', 21, 48),
]);

/** The strips of the folded map. */
const folds = [-1.4, -0.6, 0.2, 1];
const streets = `M${[-0.3, 0.8].map((y) => trace(...[...folds, 1.8].map((x) => [x, y] as const))).join('M')}`;
const route = `M${trace([-1, 1.2], [-1, 0.8], [-0.6, 0.8], [0.2, 0.8], [0.2, -0.3], [1, -0.3], [1.4, -0.3])}`;

/** A line on the folded map. */
function trace(...line: (readonly [x: number, y: number])[]): string {
  const height = (x: number) => 0.4 * Math.abs((((x + 1.4) / 0.8) % 2) - 1);
  return line.map(([x, y]) => project([x, y, height(x)]).join(' ')).join('L');
}

const [lampX, lampY] = project([0.37, 0.75, 2.05]);
/** The cone of the lit street lamp, down to the ground. */
const light = `M${lampX - 6} ${lampY}h12l38 76a44 25 0 0 1-88 0z`;

function StreetLamp({ x, isLit = false }: { x: number; isLit?: boolean }) {
  return (
    <>
      <Block at={[x, -0.1, 0.15]} size={[0.14, 0.14, 2]} />
      <Block at={[x, 0, 2.15]} size={[0.14, 0.9, 0.12]} />
      <Block at={[x - 0.1, 0.5, 2.02]} size={[0.34, 0.5, 0.14]} of={isLit ? 'lamp' : 'steel'} />
    </>
  );
}

interface PictogramProps {
  center: number;
  foot: number;
  /** How wide the picture is, in units. A narrower one makes a small thing larger. */
  view?: number;
  /** What has a shadow. By default, the blocks and crates among the children. */
  standing?: Placed[];
  children: ReactNode;
}

/** The small picture of an item. All have the same proportions and share a baseline. */
function Pictogram({ center, foot, view = 280, children, standing = readProps(children) }: PictogramProps) {
  const height = Math.round(view * 0.765);
  const top = Math.round(view * 0.735);
  return (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`${center - view / 2} ${foot - top} ${view} ${height}`}>
      <style>{materials}</style>
      <Shadow of={standing} reach={9} />
      {children}
    </svg>
  );
}

function readProps(children: ReactNode): Placed[] {
  return Children.toArray(children).flatMap((child) => (isValidElement<Placed>(child) ? child.props : []));
}

export const drawings: Record<PictogramName, ReactElement> = {
  storefront: (
    <Pictogram center={31} foot={86}>
      <Block
        at={[-0.3, -0.6, 0]}
        size={[3.2, 2, 2.2]}
        left={
          <>
            <path className="glow" d="M14 42h100v46H14z" />
            <path className="ink" d="M54 88V54h20v34z" />
            <path className="paper" d="M22 54h24v24H22zM82 54h24v24H82z" />
            <path className="paper" d="M4 14h120v26H4z" />
            <path className="mark" strokeWidth="12" d="M16 14v26M40 14v26M64 14v26M88 14v26M112 14v26" />
          </>
        }
        framed={['top']}
        right={<path className="groove" d="M22 88V34h40v54" />}
      />
    </Pictogram>
  ),
  card: (
    <Pictogram center={-4} foot={40} view={214}>
      <Block
        at={[-0.7, 0, 0]}
        size={[2, 0.3, 2.4]}
        left={
          <>
            <path className="paper" d="M5 5h70v86H5z" />
            <path className="ink" d="M28 5h24v6H28zM14 20h34v5H14zM26 83h28v3H26z" />
          </>
        }
      />
      <Block
        at={[-1.1, 0.6, 0.8]}
        size={[2.9, 0.12, 1.1]}
        of="lamp"
        left={<path className="ink" d={payout} />}
      />
    </Pictogram>
  ),
  tools: (
    <Pictogram center={16} foot={62} view={236}>
      <Block
        at={[-0.4, -0.7, 0]}
        size={[2.8, 0.25, 2]}
        left={<path className="groove" d="M8 12h8M22 12h8M36 12h8" />}
      />
      <Block
        at={[-1, 0.5, 0]}
        size={[3.3, 0.25, 2.1]}
        left={
          <>
            <path className="ink" d="M5 20h122v59H5z" />
            <path className="glow" d="M5 5h122v12H5zM58 32h58v9H58zM58 60h24v9H58z" />
            <path className="ink" d="M10 8h6v6h-6zM20 8h6v6h-6zM30 8h6v6h-6z" />
            <path className="glow" transform="translate(0 23)" d={me} />
            <path className="glow" transform="translate(0 51)" d={me} />
            <path className="paper" d="M106 47l4 12 12 4-12 4-4 12-4-12-12-4 12-4z" />
          </>
        }
      />
    </Pictogram>
  ),
  map: (
    <Pictogram center={0} foot={72} view={220} standing={[{ at: [-1.2, -0.8, 0], size: [2.8, 2.1, 0] }]}>
      <g className="steel">
        {folds.map((x, index) => (
          <path
            key={x}
            className={index % 2 ? 'left' : 'top'}
            d={`M${trace([x, -1], [x + 0.8, -1], [x + 0.8, 1.5], [x, 1.5])}z`}
          />
        ))}
        <g className="left">
          <path className="groove" d={streets} />
        </g>
      </g>
      <path className="mark" strokeWidth="7" strokeDasharray="12 6" d={route} />
      <g transform={`translate(${trace([1.4, -0.3])})`}>
        <path className="glow" d="M0 0L-19-32a22 22 0 1 1 38 0z" />
        <circle className="ink" cy="-42" r="8" />
      </g>
    </Pictogram>
  ),
  boost: (
    <Pictogram center={-2} foot={80} view={266}>
      <Block at={[-1.4, -0.3, 0]} size={[3.8, 1.9, 0.15]} />
      <StreetLamp x={-1.1} />
      <Crate at={[-1.25, 0.5, 0.15]} edge={0.6} />
      <StreetLamp x={0.3} isLit />
      <path className="glow" opacity=".3" d={light} />
      <Crate at={[-0.13, 0.25, 0.15]} edge={1} of="lamp" />
      <StreetLamp x={1.7} />
      <Crate at={[1.6, 0.5, 0.15]} edge={0.6} />
    </Pictogram>
  ),
  help: (
    <Pictogram center={26} foot={118} view={292}>
      <Crate at={[0.2, -0.8, 0]} edge={2} of="lamp" label={help} />
      <Crate at={[3.1, 0.4, 0]} edge={1.2} label={faq} />
    </Pictogram>
  ),
  letter: (
    <Pictogram center={14} foot={92}>
      <Block at={[-1, -0.6, 0]} size={[3.6, 1.8, 0.3]} />
      <Block
        at={[-0.7, 0, 0.3]}
        size={[3, 0.4, 2]}
        of="lamp"
        left={
          <>
            <path className="top" d="M0 0h120L60 46z" />
            <path className="mark" strokeWidth="3" d="M0 0l60 46 60-46M0 80l43-47M120 80L77 33" />
          </>
        }
      />
    </Pictogram>
  ),
  papers: (
    <Pictogram center={0} foot={92}>
      <Block at={[-0.9, -0.9, 0]} size={[2.6, 3.2, 0.5]} />
      <Block
        at={[-0.6, -0.6, 1.1]}
        size={[2.2, 2.9, 0.14]}
        of="lamp"
        top={
          <path
            className="ink"
            d="M14 12h44v10H14zM14 34h60v6H14zM14 48h60v6H14zM14 62h60v6H14zM14 76h40v6H14zM58 92h16v12H58z"
          />
        }
      />
    </Pictogram>
  ),
  lock: (
    <Pictogram center={14} foot={94}>
      <Crate
        at={[0, 0, 0]}
        edge={2}
        of="lamp"
        left={
          <>
            <path className="mark" strokeWidth="7" d="M28 40V30a12 12 0 0 1 24 0v10" />
            <path className="ink" d="M22 38h36v26H22z" />
          </>
        }
      />
    </Pictogram>
  ),
};
