import { renderToStaticMarkup } from 'react-dom/server';
import satori from 'satori';
import sharp from 'sharp';
import icon from '../../public/icon.svg?raw';
import { makeOnce } from '../build-cache.ts';
import { site } from '../site.ts';
import { readToken as token } from '../styles/tokens.ts';
import { Crate } from './crate.tsx';
import { wear } from './files.tsx';
import { fonts } from './lettering.tsx';

const size = { width: 1200, height: 630 };

/** Draws the picture for shared links: a PNG of 1200 × 630 pixels. */
export async function drawShareCard(title: string, line: string): Promise<Buffer> {
  const drawing = await satori(<Card title={title} line={line} />, { ...size, fonts });
  const scene = wear(renderToStaticMarkup(<Scene />));
  const layers = [
    { input: Buffer.from(scene), left: 0, top: 0 },
    { input: Buffer.from(icon), density: 144, left: 62, top: 50 },
  ];
  return makeOnce(['share card', drawing, layers, sharp.versions], () =>
    sharp(Buffer.from(drawing)).composite(layers).png({ palette: true }).toBuffer(),
  );
}

function Card({ title, line }: { title: string; line: string }) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        width: '100%',
        height: '100%',
        boxSizing: 'border-box',
        padding: '52px 64px 64px',
        backgroundColor: token('surface'),
        backgroundImage: `radial-gradient(circle at 30% 20%, ${token('lamplight')}, transparent 60%)`,
        color: token('text'),
      }}
    >
      <div style={{ display: 'flex', fontFamily: 'stencil', fontSize: 48, marginLeft: 82 }}>{site.name}</div>
      <div
        style={{
          display: 'flex',
          width: 660,
          fontFamily: 'stencil',
          fontSize: titleSize(title),
          lineHeight: 1.08,
        }}
      >
        {title}
      </div>
      <div style={{ display: 'flex', fontFamily: 'signs', fontSize: 40, color: token('lamp') }}>{line}</div>
    </div>
  );
}

/** The parts without words: the hazard stripes, and the drop above its mark. */
function Scene() {
  const stripes = Array.from({ length: 32 }, (_, index) => `M${index * 40} 14l14-14h20l-14 14z`).join('');
  return (
    <svg xmlns="http://www.w3.org/2000/svg" {...size}>
      <linearGradient id="beam" x2="0" y2="1">
        <stop className="lamplight" stopOpacity="0" />
        <stop className="lamplight" offset="1" stopOpacity=".4" />
      </linearGradient>
      <path className="glow" transform="translate(0 616)" d={stripes} />
      <g transform="translate(950 452)">
        <ellipse className="ring" style={{ strokeWidth: 3 }} rx="200" ry="115" strokeOpacity=".3" />
        <ellipse className="ring" style={{ strokeWidth: 4 }} rx="146" ry="84" strokeDasharray="72 26" />
        <path d="M-92-452H92V0A92 53 0 0 1-92 0z" fill="url(#beam)" />
      </g>
      <g transform="translate(850 60) scale(2)">
        <Crate at={[-1.3, -1.3, 0]} edge={1.9} isBraced={false} />
      </g>
      <g transform="translate(1120 150) scale(2)">
        <Crate at={[-0.6, -0.6, 0]} edge={1.2} isBraced={false} />
      </g>
      <g transform="translate(950 330) scale(2)">
        <Crate
          at={[-1, -1, 0]}
          edge={2}
          of="lamp"
          isBraced={false}
          left={<path className="mark" strokeWidth="9" d="M40 18v34M25 38l15 15 15-15M20 66h40" />}
        />
      </g>
    </svg>
  );
}

function titleSize(title: string): number {
  if (title.length > 44) return 70;
  return title.length > 22 ? 88 : 110;
}
