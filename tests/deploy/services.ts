import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Row } from 'postgres';
import { completeValues } from './project.ts';

/** A call that a service received. */
export interface Call {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The header `Authorization`, or else `apikey`. */
  authorization: string;
  body: string;
}

export type Answer = [status: number, body: unknown, headers?: Record<string, string>];

/** What is live: the folder of the built site, and the database. */
interface Live {
  folder: string;
  query(text: string, parameters?: string[]): Promise<Row[]>;
}

/** The address of the machine that deploys, as the platform sees it. */
const ownAddress = '192.0.2.9';

/** The services that a deployment calls, on loopback, and the site and project that it deploys. They answer as documented. */
export class Services {
  readonly calls: Call[] = [];
  /** The secrets of the functions, by name. */
  readonly secrets = new Map<string, string>();
  /** The custom domains of the site. */
  domains: string[] = [];
  live?: Live;
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
    const { method = '', url: path = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const authorization = headers.authorization ?? String(headers['apikey'] ?? '');
    const call = { method, path, headers, authorization, body: Buffer.concat(chunks).toString() };
    this.calls.push(call);
    const [status, body, more] =
      (await this.intercept(call)) ??
      (await this.#answerLive(call)) ??
      answerResend(call) ??
      answerSupabase(call, this.secrets) ??
      answerCloudflare(call);
    // wrangler 4.155 sets the complete list (replace_state): Cloudflare detaches every other domain.
    if (status === 200 && path.endsWith('/domains/records'))
      this.domains = (JSON.parse(call.body) as { origins: { hostname: string }[] }).origins.map(
        ({ hostname }) => hostname,
      );
    response.writeHead(status, { 'Content-Type': 'application/json', ...more });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Answers like the deployed site and project; `undefined` for a call to another service. */
  async #answerLive(call: Call): Promise<Answer | undefined> {
    const { method, path, authorization, body } = call;
    if (path === '/cdn-cgi/trace') return [200, `fl=1\nip=${ownAddress}\nts=1\n`];
    if (!this.live) return undefined;
    if (method === 'GET' && !authorization) return answerVisitor(path, this.live.folder);
    if (path === '/auth/v1/settings') return [200, { disable_signup: true }];
    if (path === '/functions/v1/resend-email/caller') return reportCaller(call, this.secrets);
    if (path === '/functions/v1/resend-email') return signUp(JSON.parse(body) as { to: string }, this.live);
    if (path === '/rest/v1/waitlist_emails' && method === 'POST') return [201, {}];
    if (!path.startsWith('/rest/v1/')) return undefined;
    if (authorization !== completeValues.SUPABASE_SECRET_KEY) return [401, {}];
    const { email } = JSON.parse(body) as { email: string };
    return [200, await this.live.query(`select * from ${path.split('/').at(-1)}($1)`, [email])];
  }
}

/** https://developers.cloudflare.com/workers/static-assets/: pages without a trailing slash, 404.html, and _headers. */
function answerVisitor(path: string, folder: string): Answer {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const [everyPage = ''] = read('_headers').split(/^\/(?!\*)/m);
  const headers = [...everyPage.matchAll(/^ +([\w-]+): (.*)$/gm)].map(([, name, value]) => [name, value]);
  const file = [path.slice(1), `${path}/index.html`].find(
    (each) => /\.\w+$/.test(each) && existsSync(join(folder, each)),
  );
  return [file ? 200 : 404, read(file ?? '404.html'), Object.fromEntries(headers)];
}

/** Reports like the function, on a platform that appends to one header, believes another, and refuses to have a third forged. */
function reportCaller({ headers, authorization }: Call, secrets: Map<string, string>): Answer {
  if (authorization !== completeValues.SUPABASE_SECRET_KEY) return [401, {}];
  if (headers['cf-connecting-ip']) return [403, 'error code: 1000'];
  const seen = {
    'x-own-address': headers['x-own-address'],
    'x-real-ip': headers['x-real-ip'] ?? ownAddress,
    'x-proxy-ip': '10.0.0.1',
    'x-forwarded-for': [headers['x-forwarded-for'], ownAddress].filter(Boolean).join(', '),
    'cf-connecting-ip': ownAddress,
  };
  const callers = Object.entries(seen).flatMap(([name, value]) =>
    value ? [[name, String(value).split(', ').at(-1)]] : [],
  );
  return [
    200,
    { header: secrets.get('CALLER_HEADER') ?? null, callers: Object.fromEntries(callers) as object },
  ];
}

/** Signs up as the function does without a caller header, and records the welcome as sent. */
async function signUp({ to }: { to: string }, { query }: Live): Promise<Answer> {
  const template = '{"subject":"s","html":"h","text":"t"}';
  await query('select accept_sign_up($1, $2, gen_random_uuid(), md5($1), null, null, md5($1))', [
    to,
    template,
  ]);
  await query(
    `select record_delivery(id, lease, 'sent', 'id', null, null) from lease_delivery() where id is not null`,
  );
  return [200, {}, { 'Access-Control-Allow-Origin': completeValues.PUBLIC_SITE_URL }];
}

/** https://resend.com/docs/api-reference/domains */
function answerResend({ path }: Call): Answer | undefined {
  if (path === '/domains') return [200, { data: [{ id: 'd1', name: 'stash.test', status: 'verified' }] }];
  return path === '/domains/d1' ? [200, { open_tracking: false, click_tracking: false }] : undefined;
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
  const { pathname } = new URL(path, 'http://loopback');
  const jwt = ['{"alg":"none"}', '{"exp":9999999999}', '-']
    .map((text) => Buffer.from(text).toString('base64url'))
    .join('.');
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
