import sharp from 'sharp';

const MARK = 0.82; // of the edge, because devices round the corners of icons
const FAVICONS = [16, 32, 48]; // pixels

/** Draws the mark on a background, as a PNG: devices add their own behind a transparent picture. */
export async function drawIcon(mark: string, background: string, size: number): Promise<Buffer> {
  const drawn = await scale(mark, Math.round(size * MARK));
  return sharp({ create: { width: size, height: size, channels: 3, background } })
    .composite([{ input: drawn }])
    .png({ palette: true })
    .toBuffer();
}

/**
 * Draws the icon of every page, an ICO file with a PNG for each size that tabs and bookmarks show, so that no browser scales
 * one. Browsers request it without a link. An SVG icon would keep the main thread busy while the page loads: a browser draws
 * it as a document of its own.
 */
export async function drawFavicon(mark: string): Promise<Buffer> {
  const pictures = await Promise.all(FAVICONS.map((size) => scale(mark, size)));
  // https://en.wikipedia.org/wiki/ICO_(file_format): a header of 6 bytes, then an entry of 16 bytes for each picture.
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2); // type: icon
  header.writeUInt16LE(pictures.length, 4);
  let start = header.length;
  for (const [index, { length }] of pictures.entries()) {
    const entry = header.subarray(6 + 16 * index);
    entry.writeUInt8(FAVICONS[index]!, 0); // width
    entry.writeUInt8(FAVICONS[index]!, 1); // height
    entry.writeUInt16LE(1, 4); // color planes
    entry.writeUInt16LE(32, 6); // bits per pixel
    entry.writeUInt32LE(length, 8);
    entry.writeUInt32LE(start, 12); // where the picture starts
    start += length;
  }
  return Buffer.concat([header, ...pictures]);
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
