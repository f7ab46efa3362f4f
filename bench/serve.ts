import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import sirv from 'sirv';

/** Serves a folder on loopback like a static host: compressed once with brotli, and hashed files cached for a year. */
export async function serve(folder: string, port = 0): Promise<{ url: string; close(): void }> {
  for (const file of globSync('**/*.{html,css,js,svg,json,xml,txt,webmanifest}', { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
  const files = sirv(folder, {
    brotli: true,
    etag: true,
    setHeaders(response, path) {
      const isHashed = /^\/(_astro|pictures)\//.test(path);
      response.setHeader(
        'Cache-Control',
        `public, max-age=${isHashed ? '31536000, immutable' : '0, must-revalidate'}`,
      );
    },
  });
  const server = createServer((request, response) => files(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
