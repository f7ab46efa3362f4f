import { text } from 'node:stream/consumers';
import { openProxy } from './proxy.ts';

/** Where a page is cut: after each of these elements, if another element follows. */
const cuts = /(?<=<\/(?:h1|form|picture|nav|section)>)(?=<[a-z])/;

/**
 * Opens a local proxy that passes a page on in pieces. The first piece passes at once, and `sendPiece` sends the next one, which
 * adds at least one element. It returns whether there was one. A browser must request pages uncompressed.
 */
export async function openLineInPieces() {
  let page: { pieces: string[]; send: (piece: string) => void; end: () => void } | undefined;
  const proxy = await openProxy({
    respond: async (answer, outgoing) => {
      const { 'content-length': _, ...headers } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      if (!headers['content-type']?.startsWith('text/html')) return void answer.pipe(outgoing);
      const [first, ...pieces] = (await text(answer)).split(cuts);
      page = { pieces, send: (piece) => outgoing.write(piece), end: () => outgoing.end() };
      outgoing.write(first);
    },
  });
  return {
    ...proxy,
    sendPiece(): boolean {
      const piece = page?.pieces.shift();
      if (piece === undefined) page?.end();
      else page?.send(piece);
      return piece !== undefined;
    },
  };
}
