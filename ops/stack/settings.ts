import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { pickValues } from '../../shared/read-values.ts';
import type { VariableName, Values } from '../../shared/variables.ts';
import { placeholders, site } from '../../src/config/site.ts';
import { root } from '../values.ts';

/** The header in which the gateway names the caller. Set CALLER_HEADER to have the functions read another one. */
export const gatewayHeader = 'x-caller-address';

/** The settings of a local stack: where it listens, where it stores its data, and its keys. */
export type Settings = ReturnType<typeof readSettings>;

/** Reads the settings from environment variables. */
export function readSettings(environment: NodeJS.ProcessEnv) {
  const dataDir = resolve(root, environment['DATA_DIR'] || '.data');
  const readPort = (name: string, usual: number) => Number(environment[name] || usual);
  const ports = {
    SITE_PORT: readPort('SITE_PORT', 4321),
    API_PORT: readPort('API_PORT', 54321),
    DB_PORT: readPort('DB_PORT', 54322),
    INBOX_PORT: readPort('INBOX_PORT', 54324),
  };
  const siteUrl = `http://localhost:${ports.SITE_PORT}`;
  const apiUrl = `http://127.0.0.1:${ports.API_PORT}`;
  const inboxUrl = `http://127.0.0.1:${ports.INBOX_PORT}`;
  const databaseUrl = writeDatabaseUrl(ports.DB_PORT);
  // The same at every start, so that open pages work with the next one.
  const publicKey = 'sb_publishable_local_stack_of_dropyard';
  // New at every start. It gives full access to the waitlist, and only someone who can read the data folder knows it.
  const secretKey = `sb_secret_${randomBytes(24).toString('base64url')}`;
  const defaults = {
    ...placeholders,
    PUBLIC_DEV_MODE: 'false',
    PUBLIC_FAILURE_NOTICE: 'false',
    RESEND_API_KEY: 're_local',
    RESEND_BASE_URL: inboxUrl,
    RESEND_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
    CALLER_HEADER: gatewayHeader,
    // The same at every start, because stored hashes depend on it.
    TOKEN_SECRET: 'the-token-secret-of-the-local-stack',
  };
  const values = {
    ...defaults,
    // An empty value counts as not set.
    ...pickValues(environment as Values, Object.keys(defaults) as VariableName[]),
    PUBLIC_SITE_URL: siteUrl,
    SITE_URL: `${siteUrl},http://127.0.0.1:${ports.SITE_PORT}`,
    PUBLIC_SUPABASE_URL: apiUrl,
    PUBLIC_SUPABASE_ANON_KEY: publicKey,
    PUBLIC_EMAIL_FUNCTION_URL: apiUrl + site.emailFunctionPath,
    SUPABASE_URL: apiUrl,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: publicKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    SUPABASE_SECRET_KEY: secretKey,
    SUPABASE_DB_URL: `${databaseUrl}?sslmode=disable`,
    SUPABASE_DB_PASSWORD: new URL(databaseUrl).password,
  } satisfies Values;
  return {
    dataDir,
    /** The folder of the built site, with a name that no other folder has, because each build replaces it. */
    siteFolder: join(dataDir, 'site-of-local-stack'),
    ports,
    siteUrl,
    apiUrl,
    inboxUrl,
    databaseUrl,
    publicKey,
    secretKey,
    values,
  };
}

/** Returns the URL of the database on a port, for the role that owns the tables. */
export function writeDatabaseUrl(port: number | string): string {
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

/** Throws an Error with the first port that cannot be used, and its variable. */
export async function checkPorts(ports: Settings['ports']): Promise<void> {
  for (const [variable, port] of Object.entries(ports)) {
    const code = await tryPort(port);
    if (code)
      throw new Error(
        `Port ${port} cannot be used (${code}). Set ${variable} to another port, or stop what uses this one.`,
      );
  }
}

/** Below the ports of outgoing connections. Processes that start one after the other, such as those of tests, have different ones. */
let nextPort = 20_000 + (process.pid % 600) * 20;

/** Finds a free port. No other call in this process gets the same one. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = nextPort++;
    if (!(await tryPort(port))) return port;
  }
}

/** Resolves to the error code of a port that cannot be used, such as EADDRINUSE. */
export async function tryPort(port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    await once(server.close(), 'close');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
