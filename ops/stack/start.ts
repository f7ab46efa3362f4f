import { once } from 'node:events';
import { migrate, prepareDatabase } from './database.ts';
import { devServer, inbox, serverSide, staticHost } from './parts.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { readEnd, RunningParts } from './running-parts.ts';
import { checkPorts, prepareDataDir, readSettings, type Settings, tryPort } from './settings.ts';
import { StackError } from './process.ts';
import { buildSite } from './site-build.ts';
import { writeWelcome } from '../../src/build/welcome-email.ts';

const isDevelopment = process.argv.includes('--dev');
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

try {
  await run(readSettings(process.env));
} catch (error) {
  console.error(error instanceof StackError ? error.message : error);
  process.exitCode = 1;
}

async function run(settings: Settings): Promise<void> {
  const { dataDir, siteUrl, inboxUrl } = settings;
  const stopped = once(stop.signal, 'abort');
  await refuseSecond(settings);
  await checkPorts(settings.ports);
  prepareDataDir(dataDir);
  const parts = new RunningParts((part) => {
    console.error(`  ${part.name} has ended, so everything stops.${readEnd(part)}`);
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
  await step('Bringing the database up to date', () => migrate(settings));
  await step('Starting the inbox', () => running.start(inbox(settings)));
  if (isDevelopment) await step('Rendering the welcome email', renderWelcome);
  else await step('Building the site', () => buildSite(settings, stop.signal));
  await step('Starting the functions, the data API and the site', async () => {
    const site = isDevelopment ? devServer(settings) : staticHost(settings);
    const parts = [...(await serverSide(settings)), site];
    await Promise.all(parts.map((part) => running.start(part)));
  });
}

async function renderWelcome(): Promise<void> {
  await writeWelcome().catch((error: Error) => {
    throw new StackError(error.message);
  });
}

/** Prints the title of a step and runs it. Does nothing after a stop was requested, which may also make a step fail. */
async function step(title: string, work: () => Promise<unknown>): Promise<void> {
  if (stop.signal.aborted) return;
  console.log(`  ${title} ...`);
  try {
    await work();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

/** Throws a StackError when a stack still uses the data folder, or parts of one that was killed. */
async function refuseSecond({ dataDir }: Settings): Promise<void> {
  const record = readRunFile(dataDir);
  if (!record || !(await tryPort(record.settings.ports.DB_PORT))) return;
  const { siteUrl } = record.settings;
  throw new StackError(
    `A stack with the data in ${dataDir} is already running: ${siteUrl}. To run another one beside it, set DATA_DIR to another ` +
      `folder, and SITE_PORT, API_PORT, DB_PORT and INBOX_PORT to other ports. If it was killed, end what it left behind: kill ${Object.values(record.pids).join(' ')}`,
  );
}
