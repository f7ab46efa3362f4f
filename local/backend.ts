import { type Http2Bindings, type HttpBindings, serve } from '@hono/node-server';
import { App } from '@supabase/lite';
import { createPostgresConnection } from '@supabase/lite/postgres';

const DELIVERY_INTERVAL = 5_000; // milliseconds; on a hosted project pg_cron does it every minute

const { API_PORT, DATABASE_URL, FUNCTION_URLS, GATEWAY_HEADER, PUBLIC_KEY, SECRET_KEY } =
  process.env as Record<string, string>;

const functionUrls = JSON.parse(FUNCTION_URLS!) as Record<string, string>;
const connection = createPostgresConnection({ url: DATABASE_URL! });
// On its first request the library would grant everything to the public roles. The roles and grants here are the
// migrations' own, as they are on a hosted project.
Object.assign(connection, { rlsState: 'active' });

const dataApi = new App({
  connection,
  auth: { enabled: false, publishable_key: PUBLIC_KEY!, secret_key: SECRET_KEY! },
});

serve({
  hostname: '127.0.0.1',
  port: Number(API_PORT),
  async fetch(request, { incoming }: HttpBindings | Http2Bindings) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/rest/v1/')) return dataApi.server.fetch(request);
    const functionUrl = functionUrls[/^\/functions\/v1\/([\w-]+)/.exec(pathname)?.[1] ?? ''];
    if (functionUrl) return callFunction(functionUrl, request, incoming.socket?.remoteAddress);
    return Response.json({ message: 'There is nothing here.' }, { status: 404 });
  },
});

// When the database goes away, the driver rejects queries that nobody waits for any more. The next ones reconnect.
process.on('unhandledRejection', (reason) => console.error(reason));

setInterval(deliver, DELIVERY_INTERVAL);

async function callFunction(functionUrl: string, request: Request, caller = ''): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const forwarded = new Request(new URL(pathname + search, functionUrl), request);
  // Whatever a caller claims to be: a header that the platform sets is worth something only when nobody else can.
  if (GATEWAY_HEADER) forwarded.headers.set(GATEWAY_HEADER, caller);
  try {
    const response = await fetch(forwarded, { redirect: 'manual' });
    return new Response(response.body, response);
  } catch {
    return Response.json({ message: 'The function is not running.' }, { status: 503 });
  }
}

/** Does what the scheduled job of a hosted database does: no welcome waits for the next visitor. */
async function deliver(): Promise<void> {
  const url = new URL('/functions/v1/resend-email/deliver', functionUrls['resend-email']);
  await fetch(url, { method: 'POST', headers: { apikey: PUBLIC_KEY! } }).catch(() => {});
}
