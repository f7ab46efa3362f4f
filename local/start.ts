import { once } from 'node:events';
import { migrate, prepareDatabase } from './database.ts';
import { devServer, inbox, serverSide, staticHost } from './parts.ts';
import { identifyProcess, isSameProcess, stopGroup } from './process.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { checkPorts, prepareDataDir, readSettings, type Settings, StackError } from './settings.ts';
import { buildSite } from './site-build.ts';
import { Supervisor } from './supervisor.ts';

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
  const { dataDir, siteUrl, apiUrl, inboxUrl } = settings;
  const stopped = once(stop.signal, 'abort');
  await clearLeftovers(settings);
  await checkPorts(settings.ports);
  prepareDataDir(dataDir);
  const main = identifyProcess(process.pid)!;
  const supervisor = new Supervisor((parts) => writeRunFile({ main, parts, settings }));
  try {
    await Promise.race([startParts(settings, supervisor), stopped]);
    if (!stop.signal.aborted)
      console.log(`
  Site     ${siteUrl}
  Backend  ${apiUrl}
  Inbox    ${inboxUrl}

  Ctrl-C stops everything.
`);
    await stopped;
    console.log('\n  Stopping ...');
  } finally {
    await supervisor.stopAll();
    removeRunFile(dataDir);
  }
}

async function startParts(settings: Settings, supervisor: Supervisor): Promise<void> {
  const { dataDir, ports } = settings;
  console.log(`\n  Data in ${dataDir}\n`);
  await step('Starting PostgreSQL', () => supervisor.start(prepareDatabase(dataDir, ports.DB_PORT)));
  await step('Bringing the database up to date', () => migrate(settings));
  await step('Starting the inbox', () => supervisor.start(inbox(settings)));
  if (!isDevelopment)
    await step('Building the site, if it has changed', () => buildSite(settings, stop.signal));
  await step('Starting the functions, the data API and the site', async () => {
    const site = isDevelopment ? devServer(settings) : staticHost(settings);
    const parts = [...(await serverSide(settings, isDevelopment)), site];
    await Promise.all(parts.map((part) => supervisor.start(part)));
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

/** Stops what a crashed stack left running in the data folder. Throws a StackError when a stack still runs there. */
async function clearLeftovers({ dataDir }: Settings): Promise<void> {
  const record = readRunFile(dataDir);
  if (!record) return;
  if (isSameProcess(record.main)) {
    throw new StackError(
      `The stack is already running (process ${record.main.pid}): ${record.settings.siteUrl}. Its data is in ${dataDir}. ` +
        'To run another one beside it, set DATA_DIR to another folder and choose four other ports.',
    );
  }
  const left = Object.values(record.parts).filter(isSameProcess);
  if (left.length > 0) console.log('  Cleaning up after an interrupted run ...');
  await Promise.all(left.map(({ pid }) => stopGroup(pid)));
  removeRunFile(dataDir);
}
