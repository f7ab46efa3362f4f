import { join } from 'node:path';
import { pickFunctionValues } from '../../shared/read-values.ts';
import { type FunctionName, functionNames, listVariables } from '../../shared/variables.ts';
import { astroCommand, findProgram } from './process.ts';
import type { Part } from './running-parts.ts';
import { findFreePort, type Settings } from './settings.ts';
import { siteEnvironment } from './site-build.ts';

/** The inbox, which takes messages like Resend's API. */
export function inbox(settings: Settings): Part {
  return {
    name: 'inbox',
    args: ['ops/stack/inbox.ts'],
    env: { SETTINGS: JSON.stringify(settings) },
    isReady: () => answers(`${settings.inboxUrl}/emails`),
  };
}

/** The functions, and the backend that calls them. */
export async function serverSide(settings: Settings): Promise<Part[]> {
  const ports = {} as Record<FunctionName, number>;
  for (const name of functionNames) ports[name] = await findFreePort();
  const functions = functionNames.map((name) => edgeFunction(settings, name, ports[name]));
  return [...functions, backend(settings, ports)];
}

/** A function under Deno, with no more permissions than it needs. */
export function edgeFunction(settings: Settings, name: FunctionName, port: number): Part {
  const { dataDir, apiUrl, values } = settings;
  const urls = [apiUrl, ...(name === 'resend-email' ? [values.RESEND_BASE_URL] : [])];
  const hosts = urls.map((url) => new URL(url).host);
  return {
    name,
    command: findDeno(),
    args: [
      ...['run', '--no-prompt', '--no-remote', '--no-npm', '--config', 'functions/deno.json'],
      `--allow-net=127.0.0.1:${port},${hosts.join(',')}`,
      `--allow-env=${listVariables(name).join(',')}`,
      `functions/${name}/index.ts`,
    ],
    env: {
      ...pickFunctionValues(values, name),
      DENO_NO_UPDATE_CHECK: '1',
      DENO_DIR: join(dataDir, 'deno'),
      DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
    },
    isReady: () => answers(`http://127.0.0.1:${port}`, 405, { method: 'PUT' }),
  };
}

/** The data API, and the gateway to it and to the functions. */
export function backend(settings: Settings, functionPorts: Record<FunctionName, number>): Part {
  return {
    name: 'backend',
    args: ['ops/stack/backend.ts'],
    env: { SETTINGS: JSON.stringify(settings), FUNCTION_PORTS: JSON.stringify(functionPorts) },
    isReady: () => answers(`${settings.apiUrl}/rest/v1/`, 401),
  };
}

/** The built site on wrangler, the development server of the static host. */
export function staticHost(settings: Settings): Part {
  const { dataDir, ports, siteUrl } = settings;
  return {
    name: 'site',
    args: [
      ...[findProgram('wrangler', 'bin/wrangler.js'), 'dev', '--assets', settings.siteFolder],
      ...['--ip', '127.0.0.1', '--port', String(ports.SITE_PORT), '--inspector-port', '0'],
      ...['--persist-to', join(dataDir, 'wrangler')],
    ],
    env: {
      CI: '1',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      XDG_CONFIG_HOME: join(dataDir, 'wrangler'),
    },
    isReady: () => answers(siteUrl),
  };
}

/** The site from its sources, on Astro's development server. */
export function devServer(settings: Settings): Part {
  const { ports, siteUrl } = settings;
  return {
    name: 'site',
    // Another stack may run beside this one. By itself, Astro allows only one server.
    args: [astroCommand, 'dev', '--ignore-lock', '--port', String(ports.SITE_PORT), '--host', '127.0.0.1'],
    env: siteEnvironment(settings),
    inTerminal: true,
    // Not a page, because pages can fail during an edit while the server still runs.
    isReady: () => answers(`${siteUrl}/icon.svg`),
  };
}

/** The Deno binary. The package's launcher needs an install script to have run, and does not forward signals. */
function findDeno(): string {
  const name = `@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`;
  return findProgram(name, 'deno');
}

async function answers(url: string, status = 200, init: RequestInit = {}): Promise<boolean> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(3_000) });
    await response.body?.cancel();
    return response.status === status;
  } catch {
    return false;
  }
}
