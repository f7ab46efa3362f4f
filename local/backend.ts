import { serve } from '@hono/node-server';
import { App } from '@supabase/lite';
import { createPostgresConnection } from '@supabase/lite/postgres';

const { API_PORT, DATABASE_URL, FUNCTION_URL, PUBLIC_KEY, SECRET_KEY } = process.env as Record<
  string,
  string
>;

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
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith('/rest/v1/')) return dataApi.server.fetch(request);
    if (pathname === '/functions/v1/resend-email') return callFunction(request, pathname + search);
    return Response.json({ message: 'There is nothing here.' }, { status: 404 });
  },
});

async function callFunction(request: Request, path: string): Promise<Response> {
  try {
    const response = await fetch(new Request(new URL(path, FUNCTION_URL), request), { redirect: 'manual' });
    return new Response(response.body, response);
  } catch {
    return Response.json({ message: 'The function is not running.' }, { status: 503 });
  }
}
