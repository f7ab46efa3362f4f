import satori from 'satori';
import sharp from 'sharp';
import icon from '../../public/icon.svg?raw';
import { makeOnce } from './cache.ts';
import { site } from '../config/site.ts';
import { readToken as token } from '../styles/tokens.ts';
import { compactYard, pictureFiles } from './files.ts';
import { fonts, keepDrawable } from './lettering.tsx';
import type { PictogramName } from './names.ts';

const size = { width: 1200, height: 630 };
/** How high the words below the logo may be, in pixels. */
const room = 424;
const titleSizes = [96, 88, 80, 72, 64, 56, 48, 40, 32];

interface ShareCardWords {
  title: string;
  /** What the site is, for somebody who has never heard of it. */
  lede: string;
  /** What a creator gets, on a ticket. */
  ticket: string;
  /** The picture of its page, instead of the yard. */
  picture?: PictogramName | undefined;
}

/** Draws the picture for shared links: a PNG of 1200 × 630 pixels. Words that its fonts cannot draw are missing. */
export async function drawShareCard(typed: ShareCardWords): Promise<Buffer> {
  const [title = '', lede = '', ticket = ''] = await Promise.all(
    [typed.title, typed.lede, typed.ticket].map(keepDrawable),
  );
  const titleSize = await fitTitle(title, lede);
  const drawing = await satori(<Card {...{ title, lede, ticket, titleSize }} />, { ...size, fonts });
  const { svg } = typed.picture ? pictureFiles[typed.picture] : compactYard;
  // The yard is cut off by the right edge of the card.
  const picture = sharp(Buffer.from(svg)).resize(544, 433, { position: 'left' });
  const layers = [
    { input: await picture.png().toBuffer(), left: 656, top: 160 },
    { input: Buffer.from(icon), density: 144, left: 62, top: 62 },
  ];
  return makeOnce(['share card', drawing, layers, sharp.versions], () =>
    sharp(Buffer.from(drawing)).composite(layers).png({ palette: true }).toBuffer(),
  );
}

/** Returns the largest size of the title at which it fits with the lede, in pixels. */
async function fitTitle(title: string, lede: string): Promise<number> {
  for (const titleSize of titleSizes) {
    // Without a height, the drawing is as high as its words.
    const drawing = await satori(<Words {...{ title, lede, titleSize }} />, { width: 640, fonts });
    if (Number(/height="(\d+)"/.exec(drawing)?.[1]) <= room) return titleSize;
  }
  return titleSizes.at(-1)!;
}

type SizedWords = Pick<ShareCardWords, 'title' | 'lede'> & { titleSize: number };

function Card({ ticket, ...words }: SizedWords & { ticket: string }) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        ...size,
        boxSizing: 'border-box',
        padding: '48px 64px 60px',
        backgroundColor: token('surface'),
        backgroundImage: `radial-gradient(circle at 72% 60%, ${token('lamplight')}, transparent 60%)`,
        color: token('text'),
      }}
    >
      <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', height: 96 }}>
        <div style={{ display: 'flex', fontFamily: 'stencil', fontSize: 48, marginLeft: 82 }}>
          {site.name}
        </div>
        {ticket && <div style={ticketStyle}>{ticket}</div>}
      </div>
      <Words {...words} />
    </div>
  );
}

const ticketStyle = {
  padding: '4px 32px 10px',
  fontFamily: 'signs',
  fontSize: 68,
  backgroundColor: token('lamp'),
  backgroundImage: ['0%', '100%']
    .map((x) => `radial-gradient(circle at ${x} 50%, ${token('surface')} 13px, transparent 14px)`)
    .join(),
  color: token('on-lamp'),
};

function Words({ title, lede, titleSize }: SizedWords) {
  const balanced = { display: 'flex', textWrap: 'balance', wordBreak: 'break-word' } as const;
  const fontSize = Math.min(36, titleSize * 0.7);
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: 640, gap: 28 }}>
      <div style={{ ...balanced, fontFamily: 'stencil', fontSize: titleSize, lineHeight: 1.08 }}>{title}</div>
      <div style={{ ...balanced, fontFamily: 'signs', fontSize, lineHeight: 1.25 }}>{lede}</div>
    </div>
  );
}
