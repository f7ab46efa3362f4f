import { once } from 'node:events';
import { migrate, prepareDatabase } from './database.ts';
import { devServer, inbox, serverSide, staticHost } from './parts.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { RunningParts } from './running-parts.ts';
import { checkPorts, readSettings, type Settings, tryPort } from './settings.ts';
import { buildSite } from './site-build.ts';
import { writeWelcome } from '../../src/build/welcome-email.ts';

const isDevelopment = process.argv.includes('--dev');
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

try {
  await run(readSettings(process.env));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function run(settings: Settings): Promise<void> {
  const { dataDir, siteUrl, inboxUrl } = settings;
  const stopped = once(stop.signal, 'abort');
  await refuseSecond(settings);
  await checkPorts(settings.ports);
  const parts = new RunningParts(dataDir, ({ name }, log) => {
    console.error(`  ${name} has ended, so everything stops.${log}`);
    process.exitCode = 1;
    stop.abort();
  });
  try {
    await Promise.race([startParts(settings, parts), stopped]);
    if (!stop.signal.aborted) {
      writeRunFile({ settings, pids: parts.pids });
      console.log(`
  Site   ${siteUrl}
  Inbox  ${inboxUrl}

  Ctrl-C stops everything.
`);
    }
    await stopped;
    console.log('\n  Stopping ...');
  } finally {
    await parts.stop();
    removeRunFile(dataDir);
  }
}

async function startParts(settings: Settings, running: RunningParts): Promise<void> {
  const { dataDir, ports } = settings;
  console.log(`\n  Data in ${dataDir}\n`);
  await step('Starting PostgreSQL', () => running.start(prepareDatabase(dataDir, ports.DB_PORT)));
  await step('Bringing the database up to date', () => migrate(settings.databaseUrl, settings.values));
  await step('Starting the inbox', () => running.start(inbox(settings)));
  if (isDevelopment) await step('Rendering the welcome email', writeWelcome);
  else await step('Building the site', () => buildSite(settings, stop.signal));
  await step('Starting the functions, the data API and the site', async () => {
    const site = isDevelopment ? devServer(settings) : staticHost(settings);
    const parts = [...(await serverSide(settings)), site];
    await Promise.all(parts.map((part) => running.start(part)));
  });
}

/** Prints the title of a step and runs it. Does nothing after a stop was requested. */
async function step(title: string, work: () => Promise<unknown>): Promise<void> {
  if (stop.signal.aborted) return;
  console.log(`  ${title} ...`);
  await work();
}

/** Throws an Error when a stack still uses the data folder, or parts of one that was killed. */
async function refuseSecond({ dataDir }: Settings): Promise<void> {
  const record = readRunFile(dataDir);
  if (!record || !(await tryPort(record.settings.ports.DB_PORT))) return;
  const pids = Object.values(record.pids).join(' ');
  throw new Error(
    `A stack with this data is already running: ${record.settings.siteUrl}. If it was killed, stop what is left of it: kill ${pids}`,
  );
}
