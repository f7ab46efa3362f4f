import { renderToStaticMarkup } from 'react-dom/server';
import satori from 'satori';
import sharp from 'sharp';
import icon from '../../public/icon.svg?raw';
import { makeOnce } from '../build-cache.ts';
import { site } from '../site.ts';
import { readToken as token } from '../styles/tokens.ts';
import { wear } from './files.tsx';
import { fonts } from './lettering.tsx';
import { drawYard } from './yard.tsx';

const size = { width: 1200, height: 630 };

interface ShareCardWords {
  title: string;
  /** What the site is, for somebody who has never heard of it. */
  lede: string;
  /** What a visitor can do now, on a ticket. */
  ticket: string;
}

/** Draws the picture for shared links: a PNG of 1200 × 630 pixels. */
export async function drawShareCard(words: ShareCardWords): Promise<Buffer> {
  const drawing = await satori(<Card {...words} />, { ...size, fonts });
  const yard = wear(renderToStaticMarkup(await drawYard(true)));
  const layers = [
    { input: await sharp(Buffer.from(yard)).resize(600).png().toBuffer(), left: 584, top: 146 },
    { input: Buffer.from(icon), density: 144, left: 62, top: 46 },
  ];
  return makeOnce(['share card', drawing, yard, layers, sharp.versions], () =>
    sharp(Buffer.from(drawing)).composite(layers).png({ palette: true }).toBuffer(),
  );
}

function Card({ title, lede, ticket }: ShareCardWords) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        width: '100%',
        height: '100%',
        boxSizing: 'border-box',
        padding: '48px 64px 60px',
        backgroundColor: token('surface'),
        backgroundImage: `radial-gradient(circle at 72% 60%, ${token('lamplight')}, transparent 60%)`,
        color: token('text'),
      }}
    >
      <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center' }}>
        <div style={{ display: 'flex', fontFamily: 'stencil', fontSize: 48, marginLeft: 82 }}>
          {site.name}
        </div>
        <div
          style={{
            display: 'flex',
            padding: '8px 28px 10px',
            fontFamily: 'signs',
            fontSize: 36,
            backgroundColor: token('lamp'),
            color: token('on-lamp'),
          }}
        >
          {ticket}
        </div>
      </div>
      <div
        style={{
          display: 'flex',
          width: 540,
          fontFamily: 'stencil',
          fontSize: titleSize(title),
          lineHeight: 1.08,
          textWrap: 'balance',
          wordBreak: 'break-word',
        }}
      >
        {title}
      </div>
      <div
        style={{
          display: 'flex',
          width: 540,
          fontFamily: 'signs',
          fontSize: 34,
          lineHeight: 1.25,
          textWrap: 'balance',
          wordBreak: 'break-word',
          color: token('lamp'),
        }}
      >
        {lede}
      </div>
    </div>
  );
}

function titleSize(title: string): number {
  if (title.length > 60) return 48;
  if (title.length > 44) return 64;
  return title.length > 22 ? 72 : 88;
}
