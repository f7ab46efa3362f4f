import { Crate } from './crate.tsx';
import { materials } from './materials.ts';
import { readToken as token } from '../styles/tokens.ts';

/** Rays around the crate. None points up, because the crate would hide all but its tip. */
const rays = Array.from({ length: 9 }, (_, index) => {
  const angle = ((index - 1) * Math.PI) / 6;
  const place = (reach: number) =>
    [Math.cos(angle) * reach * 1.7, Math.sin(angle) * reach + 20].map(Math.round).join(' ');
  return `M${place(58)}L${place(index % 2 ? 80 : 74)}`;
}).join('');

/** The drop has landed: a small celebration of a sign-up. It plays when the picture becomes visible. */
export function drawLanded() {
  return (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="-180 -92 360 196">
      <style>{materials + styles}</style>
      <ellipse className="ring" cy="26" rx="84" ry="48" strokeDasharray="34 12" />
      <ellipse className="glow" cy="26" rx="58" ry="33" opacity=".3" />
      <path className="rays" d={rays} />
      <g className="drop">
        <Crate
          at={[-0.2, -0.2, 0]}
          edge={1.7}
          of="lamp"
          left={<path className="mark" strokeWidth="9" d="M18 34l12 14 22-28" />}
        />
      </g>
    </svg>
  );
}

const styles = `
.rays{fill:none;stroke:${token('signal')};stroke-width:6;transform-origin:0 20px}
@media (prefers-reduced-motion:no-preference){
.drop{animation:drop .62s cubic-bezier(.5,0,.7,1) both}
.rays{animation:burst .7s .42s cubic-bezier(.2,.9,.25,1) both}
}
@keyframes drop{from{opacity:0;transform:translateY(-150px)}20%{opacity:1}70%{transform:none}82%{transform:translateY(-9px)}}
@keyframes burst{from{opacity:0;scale:.3}40%{opacity:1}}
`;
