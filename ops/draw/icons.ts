import sharp from 'sharp';

const MARK = 0.64; // of the edge, because devices round the corners of icons
const FAVICON = 48; // pixels

/** Draws the mark on a background, as a PNG: devices add their own behind a transparent picture. */
export async function drawIcon(mark: string, background: string, size: number): Promise<Buffer> {
  const drawn = await scale(mark, Math.round(size * MARK));
  return sharp({ create: { width: size, height: size, channels: 3, background } })
    .composite([{ input: drawn }])
    .png({ palette: true })
    .toBuffer();
}

/**
 * Draws the icon of every page, an ICO file that contains one PNG. Browsers request it without a link. An SVG icon would keep
 * the main thread busy while the page loads: a browser draws it as a document of its own.
 */
export async function drawFavicon(mark: string): Promise<Buffer> {
  const png = await scale(mark, FAVICON);
  // https://en.wikipedia.org/wiki/ICO_(file_format): a header of 6 bytes, then an entry of 16 bytes for each picture.
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // type: icon
  header.writeUInt16LE(1, 4); // number of pictures
  header.writeUInt8(FAVICON, 6); // width
  header.writeUInt8(FAVICON, 7); // height
  header.writeUInt16LE(1, 10); // color planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18); // where the picture starts
  return Buffer.concat([header, png]);
}

/** Draws the mark at its final size, because enlarged pixels would blur. */
async function scale(mark: string, size: number): Promise<Buffer> {
  const source = Buffer.from(mark);
  const { width } = await sharp(source).metadata();
  return sharp(source, { density: (72 * size) / width })
    .resize(size, size, { fit: 'contain', background: 'transparent' })
    .png()
    .toBuffer();
}
