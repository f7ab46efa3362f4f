import satori from 'satori';
import sharp from 'sharp';
import { site } from '../site.ts';
import { readToken as token } from '../styles/tokens.ts';
import { loadFonts } from './lettering.tsx';
import { face, type Side, type Triple } from './isometric.ts';

const size = { width: 1200, height: 630 };

/** Draws the picture that stands beside a shared link: 1200 × 630, PNG. */
export async function drawShareCard(title: string, line: string): Promise<Buffer> {
  const drawing = await satori(<Card title={title} line={line} />, { ...size, fonts: await loadFonts() });
  const scene = Buffer.from(drawScene());
  return sharp(Buffer.from(drawing))
    .composite([{ input: scene, left: 0, top: 0 }])
    .png({ palette: true })
    .toBuffer();
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

/** What is drawn and not written: logo, shutter, hazard stripes and the drop above its mark. */
function drawScene(): string {
  const arrow = face('left', [-1, -1, 0], [2, 2, 2]);
  const stripes = Array.from({ length: 32 }, (_, index) => `M${index * 40} 14l14-14h20l-14 14z`).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">
    <path fill="${token('lamp')}" transform="translate(0 616)" d="${stripes}"/>
    <g transform="translate(62 50) scale(2)">
      <path fill="${token('lamp')}" d="M2 5h28v7a4 4 0 0 0 0 8v7H2v-7a4 4 0 0 0 0-8z"/>
      <path fill="none" stroke="${token('on-lamp')}" stroke-width="3" d="M16 8v11m-5.5-5L16 19.5 21.500 14M10 24h12"/>
    </g>
    <defs><linearGradient id="beam" x2="0" y2="1"><stop stop-color="${token('lamp')}" stop-opacity="0"/><stop offset="1" stop-color="${token('lamp')}" stop-opacity=".4"/></linearGradient></defs>
    <g transform="translate(950 452)" fill="none" stroke="${token('lamp')}" stroke-width="3">
      <ellipse rx="200" ry="115" stroke-opacity=".3"/>
      <ellipse rx="146" ry="84" stroke-width="4" stroke-dasharray="72 26"/>
      <path stroke="none" fill="url(#beam)" d="M-92-452H92V0A92 53 0 0 1-92 0z"/>
    </g>
    ${drawCrate([850, 60], [-1.3, -1.3, 0], 1.9, ['steel-lit', 'steel', 'steel-dark'])}
    ${drawCrate([1120, 150], [-0.6, -0.6, 0], 1.2, ['steel-lit', 'steel', 'steel-dark'])}
    ${drawCrate([950, 330], [-1, -1, 0], 2, ['lamp-pale', 'lamp', 'lamp-deep'])}
    <path transform="translate(950 330) scale(2) ${arrow.transform}" fill="none" stroke="${token('on-lamp')}" stroke-width="9" d="M40 18v34M25 38l15 15 15-15M20 66h40"/>
  </svg>`;
}

function drawCrate(
  [x, y]: [number, number],
  at: Triple,
  edge: number,
  colours: [string, string, string],
): string {
  const sides: Side[] = ['top', 'left', 'right'];
  const faces = sides.map((side, index) => {
    const { transform, width: length } = face(side, at, [edge, edge, edge]);
    const frame = `M0 3h${length}M0 ${length - 3}h${length}M3 0v${length}M${length - 3} 0v${length}`;
    return `<g transform="${transform}"><path fill="${token(colours[index] ?? '')}" d="M0 0h${length}v${length}H0z"/><path fill="none" stroke="${token('void')}" stroke-opacity=".42" stroke-width="5" d="${frame}"/></g>`;
  });
  return `<g transform="translate(${x} ${y}) scale(2)">${faces.join('')}</g>`;
}

function titleSize(title: string): number {
  if (title.length > 44) return 70;
  return title.length > 22 ? 88 : 110;
}
