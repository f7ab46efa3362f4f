import { createHash, X509Certificate } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { generate } from 'selfsigned';
import sirv from 'sirv';

const hashed = /^\/(_astro|assets|pictures)\//;
const compressible = '**/*.{html,css,js,svg,json,xml,txt,webmanifest}';

/** A certificate for one run, and the hash of its key, by which a browser can be told to trust it. */
export interface Certificate {
  key: string;
  cert: string;
  keyHash: string;
}

/** One folder behind an address of its own. */
export interface Site {
  /** Without a slash at the end. */
  url: string;
  /** What the backend was sent: the text of every POST. */
  posts: string[];
  close(): Promise<void>;
}

/** Makes a certificate for 127.0.0.1 that nothing but the measuring browser trusts. */
export async function makeCertificate(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return { key, cert, keyHash: createHash('sha256').update(publicKey).digest('base64') };
}

/**
 * Serves a folder on loopback as a good static host does: HTTP/2, brotli made once, hashed files for ever. A POST is
 * answered as the backend would.
 */
export async function serve(folder: string, { key, cert }: Certificate, port = 0): Promise<Site> {
  compress(folder);
  const files = sirv(folder, {
    brotli: true,
    etag: true,
    setHeaders(response, path) {
      const lifetime = hashed.test(path) ? 'max-age=31536000, immutable' : 'max-age=0, must-revalidate';
      response.setHeader('Cache-Control', `public, ${lifetime}`);
    },
  }) as unknown as (request: Http2ServerRequest, response: Http2ServerResponse) => void;
  const posts: string[] = [];
  const server = createSecureServer({ key, cert }, (request, response) => {
    if (request.method === 'POST') void answer(request, response, posts);
    else files(request, response);
  });
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    close: () =>
      new Promise((resolve) => {
        for (const session of sessions) session.destroy();
        server.close(() => resolve());
      }),
  };
}

function compress(folder: string): void {
  for (const file of globSync(compressible, { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
}

async function answer(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  posts: string[],
): Promise<void> {
  posts.push(await text(request));
  if (request.url.startsWith('/rest/v1/')) return void response.writeHead(201).end();
  if (request.headers['content-type'] === 'application/json') {
    return void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"accepted":true}');
  }
  response.writeHead(303, { Location: '/#joined' }).end();
}
