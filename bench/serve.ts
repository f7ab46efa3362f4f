import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import sirv from 'sirv';

/** Serves a folder on loopback like a static host, compressed once with brotli. Returns what stops the server. */
export async function serve(folder: string, port: number): Promise<() => void> {
  for (const file of globSync('**/*.{html,css,js,svg,json,xml,txt,webmanifest}', { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
  }
  const files = sirv(folder, { brotli: true });
  const server = createServer((request, response) => files(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return () => server.close();
}
