import type { APIRoute } from 'astro';
import sharp from 'sharp';
import mark from '../../public/icon.svg?raw';

const SIZE = 48; // pixels

/**
 * The icon of every page, an ICO file that contains one PNG. Browsers request it without a link. An SVG icon would keep the
 * main thread busy while the page loads: a browser draws it as a document of its own.
 */
export const GET: APIRoute = async () => {
  const source = Buffer.from(mark);
  const { width } = await sharp(source).metadata();
  const png = await sharp(source, { density: (72 * SIZE) / width })
    .resize(SIZE, SIZE, { fit: 'contain', background: 'transparent' })
    .png()
    .toBuffer();
  // https://en.wikipedia.org/wiki/ICO_(file_format): a header of 6 bytes, then an entry of 16 bytes for each picture.
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // type: icon
  header.writeUInt16LE(1, 4); // number of pictures
  header.writeUInt8(SIZE, 6); // width
  header.writeUInt8(SIZE, 7); // height
  header.writeUInt16LE(1, 10); // color planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18); // where the picture starts
  const icon = new Uint8Array(Buffer.concat([header, png]));
  return new Response(icon, { headers: { 'Content-Type': 'image/x-icon' } });
};
