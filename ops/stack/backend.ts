import { type Http2Bindings, type HttpBindings, serve } from '@hono/node-server';
import { App } from '@supabase/lite';
import { createPostgresConnection } from '@supabase/lite/postgres';
import { gatewayHeader, type Settings } from './settings.ts';

const DELIVERY_INTERVAL = 5_000; // milliseconds; a hosted project delivers every minute, with pg_cron
const LARGEST_PUBLIC_BODY = 4096; // bytes; the page sends fewer than 500

const { ports, databaseUrl, publicKey, secretKey } = JSON.parse(process.env['SETTINGS']!) as Settings;
const functionPorts = JSON.parse(process.env['FUNCTION_PORTS']!) as Record<string, number>;
const dataApi = openDataApi();

serve({
  hostname: '127.0.0.1',
  port: ports.API_PORT,
  async fetch(request, { incoming }: HttpBindings | Http2Bindings) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/rest/v1/')) return callDataApi(request);
    const [, name = ''] = /^\/functions\/v1\/([\w-]+)/.exec(pathname) ?? [];
    const functionPort = functionPorts[name];
    if (functionPort) return callFunction(functionPort, request, incoming.socket?.remoteAddress);
    return Response.json({ message: 'There is nothing here.' }, { status: 404 });
  },
});

// Replaces the scheduled job of a hosted database, so that no welcome waits for the next visitor.
const deliveryUrl = `http://127.0.0.1:${functionPorts['resend-email']}/functions/v1/resend-email/deliver`;
const deliver = () => fetch(deliveryUrl, { method: 'POST', headers: { apikey: publicKey } }).catch(() => {});
setInterval(deliver, DELIVERY_INTERVAL);

/** Opens the data API on its own connections. When one closes, the database has ended, and with it the stack. */
function openDataApi(): { fetch(request: Request): Response | Promise<Response> } {
  // When a connection closes, the driver may throw where nobody can catch it, so none has a limited lifetime:
  // https://github.com/porsager/postgres/issues/1208
  const postgresOptions = { max_lifetime: null };
  // This role may only switch to one of the API roles.
  const asClient = { ...postgresOptions, user: 'authenticator' };
  const connection = createPostgresConnection({ url: databaseUrl, postgresOptions: asClient });
  // It reads the information_schema, which shows a role only what that role may use, so it connects as the owner.
  const owner = createPostgresConnection({ url: databaseUrl, postgresOptions });
  // Otherwise the library grants everything to the public roles on its first request. As on a hosted project, roles
  // and grants come from the migrations.
  Object.assign(connection, { rlsState: 'active', introspect: owner.introspect.bind(owner) });
  const auth = { enabled: false, publishable_key: publicKey, secret_key: secretKey };
  return new App({ connection, auth }).server;
}

/**
 * Calls the data API, unless the public key sends more than a page does. The library makes a parameter of every value: thousands of
 * rows need gigabytes and hundreds of milliseconds, on the thread that also serves sign-ups. A hosted project has no such limit. Its
 * data API passes a body on as one parameter, and the database refuses the second row.
 */
async function callDataApi(request: Request): Promise<Response> {
  const { headers } = request;
  // A body that is sent in chunks does not say how large it is.
  const isLarge =
    headers.has('transfer-encoding') || Number(headers.get('content-length')) > LARGEST_PUBLIC_BODY;
  if (!isLarge || headers.get('apikey') === secretKey) return dataApi.fetch(request);
  // Without this, the caller's next request on this connection would fail, because the unread body closes it.
  const close = { status: 413, headers: { Connection: 'close' } };
  return Response.json({ message: 'The body is too large.' }, close);
}

async function callFunction(port: number, request: Request, caller = ''): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const forwarded = new Request(`http://127.0.0.1:${port}${pathname}${search}`, request);
  // Overwrites the caller's own header, because the functions trust this one.
  forwarded.headers.set(gatewayHeader, caller);
  const response = await fetch(forwarded, { redirect: 'manual' });
  return new Response(response.body, response);
}
