import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';

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
export async function openSlowLine(latency: number, bandwidth: { down: number; up: number }) {
  const [down, up] = [makeLine(bandwidth.down), makeLine(bandwidth.up)];
  const proxy = createServer((incoming, outgoing) => {
    const { 'proxy-connection': _, ...headers } = incoming.headers;
    const onward = request(incoming.url ?? '', { method: incoming.method, headers });
    onward.on('error', () => outgoing.destroy());
    onward.on('response', (answer) =>
      setTimeout(() => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(down()).pipe(outgoing);
      }, latency),
    );
    incoming.pipe(up()).pipe(onward);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { server: `http://127.0.0.1:${port}`, close };
}
