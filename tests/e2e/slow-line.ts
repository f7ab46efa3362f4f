import { Transform } from 'node:stream';
import { openProxy } from './proxy.ts';

/** Creates a line with a bandwidth in bytes per second, which all traffic shares. */
function makeLine(bandwidth: number): () => Transform {
  let free = 0; // when the line is free again, in milliseconds
  return () =>
    new Transform({
      transform(piece: Buffer, _encoding, pass) {
        free = Math.max(free, Date.now()) + (1_000 * piece.length) / bandwidth;
        setTimeout(() => pass(null, piece), free - Date.now());
      },
    });
}

/**
 * Opens a local proxy that is as slow as a phone's network: every response is delayed, all responses share one
 * bandwidth, and so do all requests. It exists because the browser's own emulation sometimes never answers a request.
 *
 * @param latency Delay of every response, in milliseconds.
 * @param bandwidth Bytes per second in each direction.
 */
export function openSlowLine(latency: number, bandwidth: { down: number; up: number }) {
  const makeDownload = makeLine(bandwidth.down);
  return openProxy({
    makeUpload: makeLine(bandwidth.up),
    respond: (answer, outgoing) =>
      setTimeout(() => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(makeDownload()).pipe(outgoing);
      }, latency),
  });
}
