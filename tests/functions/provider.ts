import { once } from 'node:events';
import type { Message } from '../../functions/resend-email/send-message.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * What the provider does with a call. `take` accepts the message; `lost` accepts it but disconnects before it answers, `half`
 * in the middle of the answer; `reset` disconnects before it reads the message; an object is the error that it answers with.
 */
export type Behavior = 'take' | 'lost' | 'half' | 'reset' | { status: number; name?: string };

/** A stand-in for Resend that fails on request. Like Resend, it recognizes a repeated message by its key. */
export class Provider {
  readonly delivered: Message[] = [];
  calls = 0;
  /** What to do with the next calls; after that, `take`. */
  plan: Behavior[] = [];
  #bodies = new Map<string, string>();
  #server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    const { port } = this.#server.address() as { port: number };
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  to(address: string): Message[] {
    return this.delivered.filter(({ to }) => to.includes(address));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.calls++;
    const body = Buffer.concat(await request.toArray()).toString();
    const behavior = this.plan.shift() ?? 'take';
    if (behavior === 'reset') return void request.socket.destroy();
    if (typeof behavior === 'object') return refuse(response, behavior.status, behavior.name);
    const key = String(request.headers['idempotency-key']);
    const known = this.#bodies.get(key);
    if (known !== undefined && known !== body) {
      return refuse(response, 409, 'invalid_idempotent_request');
    }
    if (known === undefined) this.delivered.push(JSON.parse(body));
    this.#bodies.set(key, body);
    if (behavior === 'lost') return void request.socket.destroy();
    response.writeHead(200, { 'Content-Type': 'application/json' });
    if (behavior === 'half') return void response.write('{"id":', () => request.socket.destroy());
    response.end(JSON.stringify({ id: `provider-${key}` }));
  }
}

/** https://resend.com/docs/api-reference/errors */
function refuse(response: ServerResponse, statusCode: number, name = 'some_error'): void {
  response.writeHead(statusCode, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ statusCode, name, message: 'no' }));
}
