import { figures, site } from '../config/site.ts';
import { Block } from './block.tsx';
import { Crate } from './crate.tsx';
import { face, project, unit } from './isometric.ts';
import { stencil } from './lettering.tsx';
import { materials } from './materials.ts';
import { Shadow } from './shadow.tsx';
import { readToken as token } from '../styles/tokens.ts';

const ground = face('top', [0, 0, 0], [0, 0, 0]);
const streets = Array.from({ length: 14 }, (_, index) => index * 40 - 120)
  .map((place) => `M-120 ${place}h520M${place}-120v520`)
  .join('');
const spill = face('top', [1.45, 3.5, 0], [0, 0, 0]);
const target = project([3.9, 7.5, 0]);

/** The walls beside the shutter, which stand on the ground. */
const walls = [
  { at: [0.8, 0.8, 0], size: [0.65, 2.7, 3.4] },
  { at: [5.15, 0.8, 0], size: [0.65, 2.7, 3.4] },
] as const;

/** They reach below the ground, so that they have faded before they end. */
const towers = [
  { at: [-3.1, -2.3, -1], size: [1.8, 1.8, 4.5], windows: 'M12 18h10m14 0h10M12 42h10M36 66h10M12 90h10' },
  { at: [-3.7, -0.3, -1], size: [1.5, 1.5, 3.9], windows: 'M10 18h9M32 18h9M10 42h9M32 66h9' },
  { at: [-1, -3.9, -1], size: [2.1, 1.9, 4.6], windows: 'M16 22h12m16 0h12M44 50h12M16 78h12M44 106h12' },
  { at: [1.7, -3.5, -1], size: [1.7, 1.6, 5], windows: 'M12 20h10M36 44h10M12 68h10m14 0h10M12 92h10' },
] as const;

const crates = [
  { at: [7.2, 1.2, 0], edge: 1.5, label: 'SCRIPT' },
  { at: [7.35, 1.3, 1.5], edge: 1.1, label: 'MOD' },
  { at: [7.4, 5, 0], edge: 1.2, label: 'VOICE' },
  { at: [-1.7, 4.1, 0], edge: 1.3, label: 'STORY' },
] as const;

/** Fewer and larger in the compact yard, so that their labels can be read on a phone. */
const largeCrates = [
  { at: [7.2, 1.1, 0], edge: 1.7, label: 'MOD' },
  { at: [7.1, 4.6, 0], edge: 1.7, label: 'VOICE' },
  { at: [-2.1, 3.9, 0], edge: 1.7, label: 'STORY' },
] as const;

/** Boxes behind the shutter, on a shelf and on the floor: left edge, foot, width and height. */
const goods = [
  [58, 103, 20, 13],
  [86, 103, 14, 16],
  [108, 103, 24, 12],
  [144, 103, 18, 15],
  [40, 130, 24, 17],
  [74, 130, 15, 13],
  [98, 130, 20, 18],
  [132, 130, 26, 15],
] as const;

/**
 * The yard: the storefront with its shutter half up, and the next drop above its mark.
 *
 * @param isCompact Whether it is for phones and tablets: lower, without the city, with fewer and larger crates, and with the
 * drop higher, so that it is on the first screen.
 */
export async function drawYard(isCompact: boolean) {
  const sign = await stencil(site.name, 30, 200, 48);
  const share = await stencil(figures.freeShare, 46, 108, 136);
  const placed = isCompact ? largeCrates : crates;
  const cargo = await Promise.all(
    placed.map(async ({ at, edge, label }) => {
      const size = isCompact ? Math.min(17, 68 / label.length) : Math.min(14, 60 / label.length);
      const outline = await stencil(label, edge * size, edge * unit);
      return <Crate key={label} at={at} edge={edge} label={outline} />;
    }),
  );
  const top = isCompact ? -110 : -256;
  return (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`-290 ${top} 580 ${isCompact ? 426 : 584}`}>
      <style>{materials + styles}</style>
      <defs>
        <radialGradient id="fade" gradientUnits="userSpaceOnUse" cx="165" cy="165" r="228">
          <stop className="street" offset="0" stopOpacity=".7" />
          <stop className="street" offset=".6" stopOpacity=".5" />
          <stop className="street" offset="1" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="light" x1="0" x2="0" y1="0" y2="1">
          <stop className="lamplight" offset="0" stopOpacity=".75" />
          <stop className="lamplight" offset="1" stopOpacity="0" />
        </linearGradient>
        <linearGradient id="beam" x1="0" x2="0" y1="0" y2="1">
          <stop className="lamplight" offset=".2" stopOpacity="0" />
          <stop className="lamplight" offset="1" stopOpacity=".5" />
        </linearGradient>
        <linearGradient id="mist" x1="0" x2="0" y1="0.3" y2="0.66">
          <stop offset="0" stopColor="white" />
          <stop offset="1" stopColor="black" />
        </linearGradient>
        <mask id="distance" maskUnits="userSpaceOnUse" x="-290" y="-260" width="580" height="360">
          <path d="M-290-260H290V100H-290z" fill="url(#mist)" />
        </mask>
      </defs>

      <path transform={ground} d={streets} stroke="url(#fade)" fill="none" />
      <Shadow of={[...walls, ...placed]} reach={15} />
      {!isCompact && (
        <g className="city" opacity=".65" mask="url(#distance)">
          {towers.map(({ at, size, windows }) => (
            <Block key={windows} at={at} size={size} left={<path className="windows" d={windows} />} />
          ))}
        </g>
      )}
      <path d={`M${target[0] - 40} ${top}h80l56 ${target[1] - top}a96 55 0 0 1-192 0z`} fill="url(#beam)" />

      <Block
        at={[0.8, 0.8, 0]}
        size={[5, 2.7, 3.4]}
        left={
          <>
            <path className="bulb" d="M26 56h148v80H26z" />
            <path className="floor" d="M26 136l24-24h124v24z" />
            <path className="wall" d="M26 136l24-24V56H26z" />
            <path className="shelf" d="M50 105h124" />
            {goods.map(drawGood)}
            <path className="ink" d="M14 8h172v32H14z" />
            <path className="slats" d="M22 46h156v34H22z" />
            <path className="slat" d="M22 54h156M22 62h156M22 70h156" />
            <path className="glow" d="M22 78h156v5H22z" />
            <path className="glow" d={sign} />
          </>
        }
        right={
          <>
            <path className="slat" d="M0 8h108M0 128h108" />
            <path className="glow" opacity=".9" d={share} />
          </>
        }
        framed={['top']}
      />
      <Block
        at={[3.9, 1.3, 3.4]}
        size={[1.1, 1.1, 0.6]}
        top={<path className="groove" d="M8 8h28v28H8z" />}
      />
      <path transform={spill} d="M0 0H148L170 144H-22z" fill="url(#light)" />

      {cargo}

      <g transform={`translate(${target.join(' ')})`}>
        <g className="mark-of-drop">
          <ellipse className="ring" rx="96" ry="55" strokeOpacity=".3" />
          <ellipse className="ring" rx="68" ry="39" strokeDasharray="34 12" />
          <ellipse className="glow" rx="40" ry="23" opacity=".35" />
        </g>
      </g>
      <g className="drop">
        <Crate
          at={[3, 6.6, isCompact ? 2.2 : 1.2]}
          edge={1.8}
          of="lamp"
          left={<path className="mark" strokeWidth="8" d="M36 16v32M22 36l14 14 14-14M18 60h36" />}
        />
      </g>
    </svg>
  );
}

function drawGood([left, foot, width, height]: (typeof goods)[number]) {
  return (
    <g key={left} transform={`translate(${left} ${foot - height})`}>
      <path className="shade" d={`M0 0v${height}h${width}l6-6v-${height}z`} />
      <path className="box" d={`M0 0h${width}v${height}H0z`} />
      <path className="lid" d={`M0 0l6-6h${width}l-6 6z`} />
    </g>
  );
}

/** The drop lands once, on screens where the picture is large. */
const styles = `
.windows{fill:none;stroke:${token('lamp')};stroke-width:9}
.bulb{fill:${token('lamp')}}
.street{stop-color:${token('lamp-deep')}}
.lamplight{stop-color:${token('lamp')}}
.floor{fill:${token('lamp-rim')}}
.wall{fill:${token('lamp-deep')}}
.box{fill:${token('lamp-deep')}}
.lid{fill:${token('lamp-pale')}}
.shade{fill:${token('lamp-dark')}}
.slats{fill:${token('steel-lit')}}
.slat{fill:none;stroke:${token('void')};stroke-opacity:.5;stroke-width:2}
.shelf{stroke:${token('lamp-dark')};stroke-width:3}
@media (prefers-reduced-motion:no-preference){
.drop{animation:land 1.1s cubic-bezier(.2,.9,.25,1) both}
.mark-of-drop{animation:mark 1.1s ease-out both}
}
@media (prefers-color-scheme:light){
.city{opacity:1}
.city .top{fill:${token('surface', 'day')}}
.city .left{fill:${token('surface-sunk', 'day')}}
.city .right{fill:${token('line', 'day')}}
}
@keyframes land{from{opacity:0;transform:translateY(-140px)}20%{opacity:1}}
@keyframes mark{from{opacity:0;transform:scale(1.6)}}
`;
