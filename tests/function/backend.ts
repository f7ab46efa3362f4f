import { migrate, prepareDatabase } from '../../local/database.ts';
import { backend, edgeFunction, type FunctionName, functionNames, inbox } from '../../local/parts.ts';
import { identifyProcess } from '../../local/process.ts';
import { writeRunFile } from '../../local/run-file.ts';
import { findFreePort, prepareDataDir, readSettings } from '../../local/settings.ts';
import { Supervisor } from '../../local/supervisor.ts';
import { Stack } from '../local/stack.ts';

/** A stack without the site. Its supervisor runs in this process. */
export class Backend extends Stack {
  #supervisor?: Supervisor;

  override async start(): Promise<'ready'> {
    const settings = readSettings({ ...this.environment, DATA_DIR: this.dataDir });
    const { siteUrl, apiUrl, secretKey } = settings;
    const record = { main: identifyProcess(process.pid)!, siteUrl, apiUrl, secretKey };
    const supervisor = new Supervisor((parts) => writeRunFile(this.dataDir, { ...record, parts }));
    this.#supervisor = supervisor;
    prepareDataDir(this.dataDir);
    await supervisor.start(prepareDatabase(this.dataDir, settings.ports.database));
    await migrate(settings);
    const functionPorts = {} as Record<FunctionName, number>;
    for (const name of functionNames) functionPorts[name] = await findFreePort();
    const functions = functionNames.map((name) =>
      edgeFunction(settings, name, functionPorts[name], { watch: false }),
    );
    const parts = [inbox(settings), ...functions, backend(settings, functionPorts)];
    await Promise.all(parts.map((part) => supervisor.start(part)));
    return 'ready';
  }

  override async stop(): Promise<null> {
    await this.#supervisor?.stopAll();
    return null;
  }
}
