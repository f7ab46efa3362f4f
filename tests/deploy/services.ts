import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A call that a service received. */
export interface Call {
  method: string;
  path: string;
  /** The header `Authorization`, or else `apikey`. */
  authorization: string | undefined;
  body: string;
}

export type Answer = [status: number, body: unknown, headers?: Record<string, string>];

/** The APIs of the services that a deployment calls, on loopback. They send the documented responses for success. */
export class Services {
  readonly calls: Call[] = [];
  /** The secrets of the functions, by name. */
  readonly secrets = new Map<string, string>();
  /** The custom domains of the site. */
  domains: string[] = [];
  /** Answers for the deployed site and project; `undefined` for a call to another service. */
  live: (call: Call) => Promise<Answer | undefined> = async () => undefined;
  /** Called before each answer. Its return value replaces the answer. */
  intercept: (call: Call) => Promise<Answer | undefined> | Answer | undefined = () => undefined;
  #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The calls that change something, as method and path. */
  get changes(): string[] {
    return this.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  }

  reset(): void {
    this.calls.length = 0;
    this.secrets.clear();
    this.domains = [];
    this.intercept = () => undefined;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = {
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization ?? String(request.headers['apikey'] ?? ''),
      body: Buffer.concat(chunks).toString(),
    };
    this.calls.push(call);
    const [status, body, headers] =
      (await this.intercept(call)) ??
      (await this.live(call)) ??
      answerResend(call) ??
      answerSupabase(call, this.secrets) ??
      answerCloudflare(call);
    // wrangler 4.155 sets the complete list (replace_state): Cloudflare detaches every other domain.
    if (status === 200 && call.path.endsWith('/domains/records'))
      this.domains = (JSON.parse(call.body) as { origins: { hostname: string }[] }).origins.map(
        ({ hostname }) => hostname,
      );
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

/** https://resend.com/docs/api-reference/domains/list-domains */
function answerResend({ path }: Call): Answer | undefined {
  return path === '/domains' ? [200, { data: [{ name: 'stash.test', status: 'verified' }] }] : undefined;
}

/** https://api.supabase.com/api/v1, with a 404 for an unknown secret, which the documentation leaves open. */
function answerSupabase({ method, path, body }: Call, secrets: Map<string, string>): Answer | undefined {
  if (path === '/auth/v1/health') return [200, { name: 'GoTrue' }];
  if (!path.startsWith('/v1/projects/')) return undefined;
  const url = new URL(path, 'http://loopback');
  if (url.pathname.endsWith('/secrets')) {
    if (method === 'GET') return [200, [...secrets].map(([name, value]) => ({ name, value }))];
    if (method === 'DELETE') {
      const names = JSON.parse(body) as string[];
      if (!names.every((name) => secrets.delete(name))) return [404, { message: 'Secret not found' }];
      return [200, {}];
    }
    for (const { name, value } of JSON.parse(body) as { name: string; value: string }[])
      secrets.set(name, value);
    return [201, {}];
  }
  if (url.pathname.endsWith('/functions/deploy')) {
    const slug = url.searchParams.get('slug');
    return [201, { id: slug, slug, name: slug, status: 'ACTIVE', version: 1, created_at: 1, updated_at: 1 }];
  }
  if (url.pathname.endsWith('/functions')) return [200, method === 'PUT' ? { functions: [] } : []];
  return [200, { id: 'project' }];
}

/** https://developers.cloudflare.com/api, and undocumented calls of wrangler 4.155. */
function answerCloudflare({ method, path, body }: Call): Answer {
  const fine = (result: unknown, status = 200): Answer => [
    status,
    { success: true, errors: [], messages: [], result },
  ];
  const { pathname, searchParams } = new URL(path, 'http://loopback');
  const jwt = ['{"alg":"none"}', '{"exp":9999999999}', '-'].map(toBase64Url).join('.');
  if (pathname === '/zones') {
    const name = searchParams.get('name');
    return fine(name === 'stash.test' ? [{ name, status: 'active' }] : []);
  }
  if (pathname.endsWith('/assets-upload-session')) {
    const { manifest } = JSON.parse(body) as { manifest: Record<string, { hash: string }> };
    return fine({ jwt, buckets: [Object.values(manifest).map(({ hash }) => hash)] });
  }
  if (pathname.endsWith('/assets/upload')) return fine({ jwt }, 201);
  if (pathname.includes('/workers/workers/')) return fine({ subdomain: { enabled: true } });
  if (pathname.endsWith('/subdomain')) return fine({ subdomain: 'account', enabled: true });
  if (pathname.endsWith('/domains/changeset')) return fine({ added: [], updated: [], conflicting: [] });
  if (pathname.endsWith('/domains/records')) return fine([]);
  if (/\/scripts\/[^/]+$/.test(pathname) && method === 'PUT') return fine({ id: 'site', startup_time_ms: 1 });
  return [
    404,
    { success: false, errors: [{ code: 10007, message: 'not found' }], messages: [], result: null },
  ];
}

function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
