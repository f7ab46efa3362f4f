import { type Http2Bindings, type HttpBindings, serve } from '@hono/node-server';
import { App } from '@supabase/lite';
import { createPostgresConnection } from '@supabase/lite/postgres';
import { readDataApiUrl } from './database.ts';

const DELIVERY_INTERVAL = 5_000; // milliseconds; a hosted project delivers every minute, with pg_cron

const { API_PORT, DATABASE_URL, FUNCTION_URLS, GATEWAY_HEADER, PUBLIC_KEY, SECRET_KEY } =
  process.env as Record<string, string>;

const functionUrls = JSON.parse(FUNCTION_URLS!) as Record<string, string>;
let dataApi = openDataApi();

serve({
  hostname: '127.0.0.1',
  port: Number(API_PORT),
  async fetch(request, { incoming }: HttpBindings | Http2Bindings) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/rest/v1/')) return dataApi.fetch(request);
    if (!pathname.startsWith('/functions/v1/'))
      return Response.json({ message: 'There is nothing here.' }, { status: 404 });
    const functionUrl = functionUrls[pathname.split('/')[3] ?? ''];
    if (functionUrl) return callFunction(functionUrl, request, incoming.socket?.remoteAddress);
    return failLikeSupabase(404, 'NOT_FOUND', 'Requested function was not found');
  },
});

// The driver throws where nobody can catch it when a connection closes: https://github.com/porsager/postgres/issues/1208.
process.on('uncaughtException', (error) => console.error(error));

setInterval(deliver, DELIVERY_INTERVAL);

/**
 * Opens the data API on connections of its own. The driver leaves queries on a connection that has closed without an answer, and
 * may never use that connection again. So the first one that closes answers all requests, and the next requests get new connections.
 */
function openDataApi(): { fetch(request: Request): Promise<Response> } {
  const closed = Promise.withResolvers<void>();
  const postgresOptions = { max_lifetime: null, onclose: () => closed.resolve() };
  const connection = createPostgresConnection({ url: readDataApiUrl(DATABASE_URL!), postgresOptions });
  // It reads the information_schema, which shows a role only what that role may use, so it connects as the owner.
  const owner = createPostgresConnection({ url: DATABASE_URL!, postgresOptions });
  // Otherwise the library grants everything to the public roles on its first request. As on a hosted project, roles
  // and grants come from the migrations.
  Object.assign(connection, { rlsState: 'active', introspect: owner.introspect.bind(owner) });
  const app = new App({
    connection,
    auth: { enabled: false, publishable_key: PUBLIC_KEY!, secret_key: SECRET_KEY! },
  });
  const answered = closed.promise.then(() => {
    if (dataApi === opened) dataApi = openDataApi();
    void Promise.allSettled([connection.close(), owner.close()]);
  });
  const opened = {
    // https://docs.postgrest.org/en/v12/references/errors.html (PGRST001)
    fetch: (request: Request) =>
      Promise.race([
        app.server.fetch(request),
        answered.then(() =>
          Response.json({ code: 'PGRST001', message: 'Database client error' }, { status: 503 }),
        ),
      ]),
  };
  return opened;
}

async function callFunction(functionUrl: string, request: Request, caller = ''): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const forwarded = new Request(new URL(pathname + search, functionUrl), request);
  // Overwrites the caller's own header, because the functions trust this one.
  if (GATEWAY_HEADER) forwarded.headers.set(GATEWAY_HEADER, caller);
  try {
    const response = await fetch(forwarded, { redirect: 'manual' });
    return new Response(response.body, response);
  } catch {
    return failLikeSupabase(500, 'WORKER_ERROR', 'Function exited due to an error (please check logs)');
  }
}

/** https://supabase.com/docs/guides/functions/error-codes; a function that throws while it loads is a WORKER_ERROR. */
function failLikeSupabase(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status, headers: { 'sb-error-code': code } });
}

/** Replaces the scheduled job of a hosted database, so that no welcome waits for the next visitor. */
async function deliver(): Promise<void> {
  const url = new URL('/functions/v1/resend-email/deliver', functionUrls['resend-email']);
  await fetch(url, { method: 'POST', headers: { apikey: PUBLIC_KEY! } }).catch(() => {});
}
