import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { completeValues } from './project.ts';

export interface Call {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The header `Authorization`, or else `apikey`. */
  authorization: string;
  body: string;
}

export type Answer = [status: number, body: unknown];

/** The address of the machine that deploys, as the platform sees it. */
const ownAddress = '192.0.2.9';

const everyRight = ['', '_secrets'].flatMap((area) =>
  ['read', 'write'].map((kind) => `edge_functions${area}_${kind}`),
);

/** The services that a deployment calls, on loopback. They answer as documented. */
export class Services {
  readonly calls: Call[] = [];
  /** The secrets of the functions, by name. */
  readonly secrets = new Map<string, string>();
  /** What the access token of Supabase may do. */
  rights = new Set(everyRight);
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
    this.rights = new Set(everyRight);
    this.intercept = () => undefined;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    const authorization = headers.authorization ?? String(headers['apikey'] ?? '');
    const call = { method, path, headers, authorization, body };
    this.calls.push(call);
    const [status, answer] =
      (await this.intercept(call)) ??
      answerLive(call, this.secrets) ??
      answerResend(call) ??
      answerSupabase(call, this) ??
      answerCloudflare(call);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  }
}

/** What a deployment asks about itself: what its host shows, the address of its machine, and the callers that the function sees. */
function answerLive(call: Call, secrets: Map<string, string>): Answer | undefined {
  if (call.path === '/') return [530, 'error code: 1016'];
  if (call.path === '/cdn-cgi/trace') return [200, `fl=1\nip=${ownAddress}\nts=1\n`];
  return call.path === '/functions/v1/resend-email/caller' ? reportCaller(call, secrets) : undefined;
}

/** Reports like the function, on a platform that appends to one header and refuses to have another forged. */
function reportCaller({ headers, authorization }: Call, secrets: Map<string, string>): Answer {
  if (authorization !== completeValues.SUPABASE_SECRET_KEY) return [401, {}];
  if (headers['cf-connecting-ip']) return [403, 'error code: 1000'];
  const seen = {
    'x-own-address': headers['x-own-address'],
    'x-forwarded-for': [headers['x-forwarded-for'], ownAddress].filter(Boolean).join(', '),
    'cf-connecting-ip': ownAddress,
  };
  const callers = Object.entries(seen).flatMap(([name, value]) =>
    value ? [[name, String(value).split(', ').at(-1)]] : [],
  );
  const header = secrets.get('CALLER_HEADER') ?? null;
  return [200, { header, callers: Object.fromEntries(callers) as object }];
}

/** https://resend.com/docs/api-reference/domains */
function answerResend({ path }: Call): Answer | undefined {
  if (path === '/domains') return [200, { data: [{ id: 'd1', name: 'stash.test', status: 'verified' }] }];
  return path === '/domains/d1' ? [200, { open_tracking: false, click_tracking: false }] : undefined;
}

/** https://api.supabase.com/api/v1 names the permission of each call; a 403 lists those that a token lacks: */
/** https://supabase.com/changelog/scoped-personal-access-tokens-ga */
function answerSupabase({ method, path, body }: Call, { secrets, rights }: Services): Answer | undefined {
  if (path === '/auth/v1/health') return [200, { name: 'GoTrue' }];
  const url = new URL(path, 'http://loopback');
  const [, area] = /^\/v1\/projects\/\w+\/(functions|secrets)(\/|$)/.exec(url.pathname) ?? [];
  if (!area) return undefined;
  const needed = `edge_functions${area === 'secrets' ? '_secrets' : ''}_${method === 'GET' ? 'read' : 'write'}`;
  if (!rights.has(needed)) {
    const message = 'Your account does not have the necessary privileges to access this endpoint.';
    return [403, { message, missing_permissions: [needed] }];
  }
  if (url.pathname.endsWith('/secrets')) {
    // Every project lists secrets of the platform, which nobody may change: https://github.com/Infisical/infisical/issues/823
    if (method === 'GET') return [200, [...secrets.keys(), 'SUPABASE_DB_URL'].map((name) => ({ name }))];
    if (body.includes('"SUPABASE_')) return [400, { message: 'A name must not start with SUPABASE_.' }];
    if (method === 'DELETE') {
      for (const name of JSON.parse(body) as string[]) secrets.delete(name);
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
  return [200, method === 'PUT' ? { functions: [] } : []];
}

/** https://developers.cloudflare.com/api, and undocumented calls of wrangler 4.155. */
function answerCloudflare({ method, path, body }: Call): Answer {
  const success = { success: true, errors: [], messages: [] };
  const fine = (result: unknown, status = 200): Answer => [status, { ...success, result }];
  const { pathname } = new URL(path, 'http://loopback');
  /** With an end in the far future. */
  const jwt = 'eyJhbGciOiJub25lIn0.eyJleHAiOjk5OTk5OTk5OTl9.-';
  if (pathname === '/zones') return fine([{ name: 'stash.test', status: 'active' }]);
  if (pathname.endsWith('/assets-upload-session')) {
    const { manifest } = JSON.parse(body) as { manifest: Record<string, { hash: string }> };
    return fine({ jwt, buckets: [Object.values(manifest).map(({ hash }) => hash)] });
  }
  if (pathname.endsWith('/assets/upload')) return fine({ jwt }, 201);
  if (pathname.includes('/workers/workers/')) return fine({ subdomain: { enabled: true } });
  if (pathname.endsWith('/subdomain')) return fine({ subdomain: 'account', enabled: true });
  if (pathname.endsWith('/domains/changeset')) return fine({ added: [], updated: [], conflicting: [] });
  if (/\/(domains\/records|scripts)$/.test(pathname)) return fine([]);
  if (/\/scripts\/[^/]+$/.test(pathname) && method === 'PUT') return fine({ id: 'site', startup_time_ms: 1 });
  const errors = [{ code: 10007, message: 'not found' }];
  return [404, { success: false, errors, messages: [], result: null }];
}
