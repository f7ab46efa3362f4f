import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from 'postgres';
import { completeValues } from './project.ts';
import type { Answer, Call } from './services.ts';

/** What a live deployment has: the folder of the built site, and the database. */
export interface Live {
  folder: string;
  query(text: string, parameters?: string[]): Promise<Row[]>;
}

/** Answers like the deployed site and project; `undefined` for a call to another service. */
export async function answerLive(call: Call, live: Live): Promise<Answer | undefined> {
  const { method, path, authorization, body } = call;
  if (method === 'GET' && !authorization) return answerVisitor(path, live);
  if (path === '/auth/v1/settings') return [200, { disable_signup: true }];
  if (path === '/functions/v1/resend-email') return signUp(JSON.parse(body) as { to: string }, live);
  if (path === '/rest/v1/waitlist_emails' && method === 'POST') return [201, {}];
  if (!path.startsWith('/rest/v1/')) return undefined;
  if (authorization !== completeValues.SUPABASE_SECRET_KEY) return [401, {}];
  const { email } = JSON.parse(body) as { email: string };
  return [200, await live.query(`select * from ${path.split('/').at(-1)}($1)`, [email])];
}

/** https://developers.cloudflare.com/workers/static-assets/: pages without a trailing slash, 404.html, and _headers. */
function answerVisitor(path: string, { folder }: Live): Answer {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const [everyPage = ''] = read('_headers').split(/^\/(?!\*)/m);
  const headers = [...everyPage.matchAll(/^ +([\w-]+): (.*)$/gm)].map(([, name, value]) => [name, value]);
  const file = `${path}/index.html`;
  const exists = existsSync(join(folder, file));
  return [exists ? 200 : 404, read(exists ? file : '404.html'), Object.fromEntries(headers)];
}

/** Signs up as the function does without a caller header, and records the welcome as sent. */
async function signUp({ to }: { to: string }, { query }: Live): Promise<Answer> {
  await query(`select accept_sign_up($1, '{}', gen_random_uuid(), $1, null, null, md5($1), md5($1))`, [to]);
  await query(
    `select record_delivery(id, lease, 'sent', 'id', null, null) from lease_delivery() where id is not null`,
  );
  return [200, {}, { 'Access-Control-Allow-Origin': completeValues.PUBLIC_SITE_URL }];
}
