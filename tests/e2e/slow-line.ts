import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';

/**
 * Opens a proxy on this machine that is as slow as a phone's network: every answer comes later, and all of them share
 * one narrow line. The browser's own emulation of a network now and then leaves a request without an answer for good.
 *
 * @param latency What an answer waits for, in milliseconds.
 * @param bandwidth Bytes in a second.
 */
export async function openSlowLine(latency: number, bandwidth: number) {
  let free = 0; // the time, in milliseconds, from which the line is free
  const narrow = () =>
    new Transform({
      transform(piece: Buffer, _encoding, pass) {
        free = Math.max(free, Date.now()) + (1_000 * piece.length) / bandwidth;
        setTimeout(() => pass(null, piece), free - Date.now());
      },
    });
  const proxy = createServer((incoming, outgoing) => {
    const { 'proxy-connection': _, ...headers } = incoming.headers;
    const onward = request(incoming.url ?? '', { method: incoming.method, headers });
    onward.on('error', () => outgoing.destroy());
    onward.on('response', (answer) =>
      setTimeout(() => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(narrow()).pipe(outgoing);
      }, latency),
    );
    incoming.pipe(onward);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { server: `http://127.0.0.1:${port}`, close };
}
