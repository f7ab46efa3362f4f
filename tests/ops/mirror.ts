import { once } from 'node:events';
import { createAdaptorServer, type ServerType } from '@hono/node-server';

type Answer = () => Promise<Response>;

/** A proxy that can change the answers of the server behind it. */
export class Mirror {
  /** What to answer; `answer` calls the server behind the proxy. */
  change: (request: Request, answer: Answer) => Promise<Response> = (_, answer) => answer();
  #behind: string;
  #server: ServerType;

  constructor(behind: string) {
    this.#behind = behind;
    this.#server = createAdaptorServer({
      fetch: async (request) => {
        const { url, method, headers } = request;
        // A new signal instead of the connection's, so that the request continues after the caller disconnects.
        const own = new Request(url, {
          method,
          headers,
          body: request.body && (await request.arrayBuffer()),
        });
        return this.change(own, () => this.#ask(own));
      },
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    const { port } = this.#server.address() as { port: number };
    return `http://127.0.0.1:${port}`;
  }

  close(): void {
    this.#server.close();
  }

  async #ask(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const response = await fetch(new Request(new URL(pathname + search, this.#behind), request));
    const headers = new Headers(response.headers);
    // These headers describe the connection, and the body is already decompressed.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
    const body = response.status === 204 ? null : await response.arrayBuffer();
    return new Response(body, { status: response.status, headers });
  }
}
