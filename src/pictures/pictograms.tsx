import type { ReactNode } from 'react';
import { examples } from '../site.ts';
import { Block } from './block.tsx';
import { Crate } from './crate.tsx';
import { face } from './isometric.ts';
import { stencil } from './lettering.tsx';
import type { PictogramName } from './names.ts';
import { Shadow } from './shadow.tsx';

const [price, mod, voice, kit, help, faq] = await Promise.all([
  stencil(`$${examples.dropPrice}`, 52, 76),
  stencil('MOD', 22, 60),
  stencil('VOICE', 13, 44),
  stencil('UI', 16, 36),
  stencil('HELP', 27, 80),
  stencil('FAQ', 17, 48),
]);
const map = face('top', [-0.4, -0.4, 0], [3.2, 3.2, 0]);

/** Draws the small picture of an item. All have the same proportions and share a baseline. */
export function drawPictogram(name: PictogramName) {
  const { center, foot, view = 280, standing, drawing } = drawings[name];
  const height = Math.round(view * 0.765);
  const top = Math.round(view * 0.735);
  const blocks = standing.map(([x, y, width, depth]) => ({
    at: [x, y, 0] as const,
    size: [width, depth, 0] as const,
  }));
  return (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`${center - view / 2} ${foot - top} ${view} ${height}`}>
      <Shadow of={blocks} reach={9} />
      {drawing}
    </svg>
  );
}

interface Pictogram {
  center: number;
  foot: number;
  /** How wide the picture is, in units. A narrower one makes a small thing larger. */
  view?: number;
  /** What stands on the ground: x, y, width and depth. */
  standing: readonly (readonly [x: number, y: number, width: number, depth: number])[];
  drawing: ReactNode;
}

const drawings: Record<PictogramName, Pictogram> = {
  crate: {
    center: 14,
    foot: 94,
    view: 300,
    standing: [
      [1, -1.6, 1.5, 1.5],
      [-0.5, 0.9, 1.9, 1.9],
      [2.3, 0.6, 0.9, 0.9],
    ],
    drawing: (
      <>
        <Crate
          at={[1, -1.6, 0]}
          edge={1.5}
          left={<path className="glow" transform="translate(0 20)" d={mod} />}
        />
        <Crate
          at={[1.2, -1.4, 1.5]}
          edge={1.1}
          left={<path className="glow" transform="translate(0 16)" d={voice} />}
        />
        <Crate
          at={[-0.5, 0.9, 0]}
          edge={1.9}
          of="lamp"
          left={<path className="ink" transform="translate(0 13)" d={price} />}
        />
        <Crate
          at={[2.3, 0.6, 0]}
          edge={0.9}
          left={<path className="glow" transform="translate(0 11)" d={kit} />}
        />
      </>
    ),
  },
  storefront: {
    center: 31,
    foot: 86,
    standing: [[-0.3, -0.6, 3.2, 2]],
    drawing: (
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
    ),
  },
  card: {
    center: -3,
    foot: 94,
    view: 240,
    standing: [[-0.6, -0.4, 2.2, 3]],
    drawing: (
      <>
        <Block
          at={[-0.6, -0.4, 0]}
          size={[2.2, 3, 0.25]}
          top={<path className="groove" d="M12 12h64v96H12z" />}
        />
        <Block
          at={[-0.2, 0, 0.9]}
          size={[3.2, 2.1, 0.14]}
          of="lamp"
          top={<path className="ink" d="M0 16h128v16H0zM14 50h26v18H14zM82 66h34v6H82z" />}
        />
      </>
    ),
  },
  tools: {
    center: 0,
    foot: 92,
    view: 248,
    standing: [[-0.7, -0.7, 3, 3]],
    drawing: (
      <>
        <Block at={[-0.7, -0.7, 0]} size={[3, 3, 0.3]} />
        <Block at={[-0.4, -0.4, 0.7]} size={[2.4, 2.4, 0.2]} />
        <Block
          at={[-0.1, -0.1, 1.5]}
          size={[1.9, 1.9, 0.16]}
          of="lamp"
          top={
            <path
              className="ink"
              d="M14 12h26v10H14zM58 3l5 12 12 5-12 5-5 12-5-12-12-5 12-5zM14 32h28v6H14zM14 46h48v6H14zM14 60h28v6H14z"
            />
          }
        />
      </>
    ),
  },
  map: {
    center: 0,
    foot: 112,
    view: 240,
    standing: [
      [-0.05, -0.05, 0.9, 0.9],
      [-0.15, 1.45, 1.1, 1.1],
      [1.6, 0, 0.8, 0.8],
      [1.65, 1.65, 0.7, 0.7],
    ],
    drawing: (
      <>
        <path className="ring" transform={map.transform} d="M0 0h128v128H0zM0 64h128M64 0v128" />
        <Crate at={[-0.05, -0.05, 0]} edge={0.9} />
        <Crate at={[-0.15, 1.45, 0]} edge={1.1} of="lamp" />
        <Crate at={[1.6, 0, 0]} edge={0.8} />
        <Crate at={[1.65, 1.65, 0]} edge={0.7} />
      </>
    ),
  },
  boost: {
    center: -10,
    foot: 86,
    view: 272,
    standing: [
      [-1.1, 1.3, 1.3, 1.3],
      [1.7, -0.1, 1.3, 1.3],
      [0.2, 0.2, 1.5, 1.5],
    ],
    drawing: (
      <>
        <Block at={[-1.1, 1.3, 0]} size={[1.3, 1.3, 0.5]} />
        <Block at={[1.7, -0.1, 0]} size={[1.3, 1.3, 0.9]} />
        <Block
          at={[0.2, 0.2, 0]}
          size={[1.5, 1.5, 1.6]}
          left={<path className="mark" strokeWidth="7" d="M30 54V16M14 31l16-16 16 16" />}
        />
        <Crate at={[0.4, 0.4, 1.6]} edge={1.1} of="lamp" />
      </>
    ),
  },
  help: {
    center: 26,
    foot: 115,
    standing: [
      [0.2, -0.8, 2, 2],
      [3.1, 0.4, 1.2, 1.2],
    ],
    drawing: (
      <>
        <Crate
          at={[0.2, -0.8, 0]}
          edge={2}
          of="lamp"
          left={<path className="ink" transform="translate(0 28)" d={help} />}
        />
        <Crate
          at={[3.1, 0.4, 0]}
          edge={1.2}
          left={<path className="glow" transform="translate(0 16)" d={faq} />}
        />
      </>
    ),
  },
  harbor: {
    center: 4,
    foot: 92,
    standing: [[-1.2, -1, 3.6, 3]],
    drawing: (
      <>
        <Block
          at={[-1.2, -1, 0]}
          size={[3.6, 3, 0.2]}
          top={
            <>
              <path className="ink" d="M0 50h144v70H0z" />
              <path className="groove" d="M6 114h30M62 114h62M100 62h34M6 60h10M132 98h12" />
            </>
          }
        />
        <Block at={[-1.2, -1, 0.2]} size={[3.6, 1.25, 0.3]} />
        <Block at={[1.3, -0.8, 0.5]} size={[0.4, 0.4, 1.9]} />
        <Block at={[-0.8, 0.75, 0.15]} size={[2.8, 0.9, 0.45]} />
        <Block
          at={[-0.6, 0.85, 0.6]}
          size={[0.85, 0.7, 0.75]}
          left={<path className="glow" d="M6 8h22v8H6z" />}
        />
        <Crate at={[1.1, 0.8, 0.85]} edge={0.75} of="lamp" />
        <path className="ring" d="M10.4-50v40" />
        <Block at={[1.3, -0.8, 2.4]} size={[0.4, 2.2, 0.25]} />
      </>
    ),
  },
  letter: {
    center: 14,
    foot: 92,
    standing: [[-1, -0.6, 3.6, 1.8]],
    drawing: (
      <>
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
      </>
    ),
  },
  papers: {
    center: 0,
    foot: 92,
    standing: [[-0.9, -0.9, 2.6, 3.2]],
    drawing: (
      <>
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
      </>
    ),
  },
  lock: {
    center: 14,
    foot: 94,
    standing: [[0, 0, 2, 2]],
    drawing: (
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
    ),
  },
};
