import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

interface Handlers {
  /** Makes a stream that the body of a request passes through. Without it, the body passes unchanged. */
  makeUpload?: () => Duplex;
  /** Passes a response on to the browser. */
  respond: (answer: IncomingMessage, outgoing: ServerResponse) => void;
}

/** Opens a local proxy for a browser. Returns its URL, and a function that closes it with all its connections. */
export async function openProxy({ makeUpload, respond }: Handlers) {
  const proxy = createServer((incoming, outgoing) => {
    const { 'proxy-connection': _, ...headers } = incoming.headers;
    const onward = request(incoming.url ?? '', { method: incoming.method, headers });
    onward.on('error', () => outgoing.destroy());
    onward.on('response', (answer) => respond(answer, outgoing));
    (makeUpload ? incoming.pipe(makeUpload()) : incoming).pipe(onward);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { server: `http://127.0.0.1:${port}`, close };
}
