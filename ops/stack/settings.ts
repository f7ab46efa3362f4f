import { randomBytes, randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import {
  describeFault,
  findFault,
  pickValues,
  type VariableName,
  type Values,
} from '../../shared/variables.ts';
import { placeholders, site } from '../../src/config/site.ts';
import { root } from '../values.ts';
import { StackError } from './process.ts';

const usualPorts = { SITE_PORT: 4321, API_PORT: 54321, DB_PORT: 54322, INBOX_PORT: 54324 };

/** The header in which the gateway names the caller. With CALLER_HEADER, the functions read another one. */
export const gatewayHeader = 'x-caller-address';

type Ports = typeof usualPorts;

/** The settings of a local stack: where it listens, where it stores its data, and its keys. */
export type Settings = ReturnType<typeof readSettings>;

/** Reads the settings from environment variables. Throws a StackError that names the variable with a malformed value. */
export function readSettings(environment: NodeJS.ProcessEnv) {
  const dataDir = resolve(root, environment['DATA_DIR'] || '.data');
  const ports = readPorts(environment);
  const siteUrl = `http://localhost:${ports.SITE_PORT}`;
  const apiUrl = `http://127.0.0.1:${ports.API_PORT}`;
  const inboxUrl = `http://127.0.0.1:${ports.INBOX_PORT}`;
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
  // An empty value counts as not set.
  const own = pickValues(environment as Values, Object.keys(defaults) as VariableName[]);
  for (const [name, value] of Object.entries(own)) {
    const fault = findFault(name as VariableName, value);
    if (fault) throw new StackError(describeFault(fault));
  }
  const values: Values & typeof defaults = {
    ...defaults,
    ...own,
    PUBLIC_SITE_URL: siteUrl,
    SITE_URL: `${siteUrl},http://127.0.0.1:${ports.SITE_PORT}`,
    PUBLIC_SUPABASE_URL: apiUrl,
    PUBLIC_SUPABASE_ANON_KEY: publicKey,
    PUBLIC_EMAIL_FUNCTION_URL: apiUrl + site.emailFunctionPath,
    SUPABASE_URL: apiUrl,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: publicKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
  };
  return {
    root,
    dataDir,
    /** The folder of the built site, with a name that no other folder has, because each build replaces it. */
    siteFolder: join(dataDir, 'site-of-local-stack'),
    ports,
    siteUrl,
    apiUrl,
    inboxUrl,
    databaseUrl: writeDatabaseUrl(ports.DB_PORT),
    publicKey,
    secretKey,
    values,
  };
}

/** Returns the URL of the database on a port, for the role that owns the tables. */
export function writeDatabaseUrl(port: number | string): string {
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

/** Creates the data folder. Throws a StackError with its variable when it cannot be created or written. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(join(dataDir, 'logs'), { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StackError(
      `The data folder ${dataDir} cannot be written (${code}). Set DATA_DIR to a writable folder.`,
    );
  }
}

/** @throws StackError with the first port that cannot be used, and its variable. */
export async function checkPorts(ports: Ports): Promise<void> {
  for (const [variable, port] of Object.entries(ports)) {
    const code = reserved.has(port) ? 'EADDRINUSE' : await tryPort(port);
    if (code)
      throw new StackError(
        `Port ${port} cannot be used (${code}). Set ${variable} to another port, or stop what uses this one.`,
      );
    reserved.add(port);
  }
}

/** The ports of this process. None of its other parts may get one, even while nothing listens there yet. */
const reserved = new Set<number>();

/** Finds a free port below those of outgoing connections. It stays reserved until this process ends. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (!reserved.has(port) && (await reservePort(port)) && !(await tryPort(port))) return port;
  }
}

/** Reserves a port with a UDP socket: it keeps out other reservations, but no TCP server, and ends with the process. */
function reservePort(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = createSocket('udp4');
    socket.once('error', () => socket.close(() => settle(false)));
    socket.bind(port, '127.0.0.1', () => {
      socket.unref();
      settle(true);
    });
  });
}

/** Resolves to the error code of a port that cannot be used, as EADDRINUSE. */
export function tryPort(port: number): Promise<string | undefined> {
  return new Promise((settle) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => settle(error.code));
    server.listen(port, '127.0.0.1', () => server.close(() => settle(undefined)));
  });
}

function readPorts(environment: NodeJS.ProcessEnv): Ports {
  const entries = Object.entries(usualPorts).map(([variable, usual]) => {
    const port = Number(environment[variable] || usual);
    if (!Number.isInteger(port) || port < 1 || port > 65535)
      throw new StackError(`${variable} is "${environment[variable]}". Set it to a port from 1 to 65535.`);
    return [variable, port];
  });
  return Object.fromEntries(entries) as Ports;
}
