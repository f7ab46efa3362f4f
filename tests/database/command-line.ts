import { type ChildProcess, execFile, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { backend } from '../../local/parts.ts';
import { identifyProcess, startProcess, stopGroup, waitUntil } from '../../local/process.ts';
import { writeRunFile } from '../../local/run-file.ts';
import { findFreePort, prepareDataDir, readSettings, type Settings } from '../../local/settings.ts';
import type { Project } from '../../owner/project.ts';
import { databaseUrl } from './database.ts';

const project = resolve(import.meta.dirname, '../..');

/** How a command ended, and what it printed. */
export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The owner's command line on the test database, through the data API. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), 'waitlist-owner-'));
  readonly publicKey = 'sb_publishable_local_stack_of_dropyard';
  settings!: Settings;
  #databaseUrl: string;
  #program: string;
  #dataApi!: ChildProcess;

  /** `root` is the folder of the project, or of a copy of it. */
  constructor(databaseUrl: string, root = project) {
    this.#databaseUrl = databaseUrl;
    this.#program = join(root, 'owner', 'waitlist.ts');
  }

  async start(): Promise<void> {
    const port = await findFreePort();
    const settings = readSettings({ DATA_DIR: join(this.folder, 'data'), API_PORT: String(port) });
    this.settings = settings;
    prepareDataDir(settings.dataDir);
    this.describeStack();
    // No function listens here, so the backend's clock delivers nothing and the tests' welcomes stay in the outbox.
    const nobody = { 'resend-email': 1, leave: 1, 'delivery-events': 1 };
    const part = backend({ ...settings, databaseUrl: this.#databaseUrl }, nobody);
    this.#dataApi = startProcess(part);
    if (!(await waitUntil(() => part.isReady(), 30_000))) throw new Error('The data API did not start.');
  }

  /** Writes the record of a running stack, which the commands read, with some of its settings changed. */
  describeStack(changes: Partial<Settings> = {}): void {
    const settings = { ...this.settings, ...changes };
    writeRunFile({ main: identifyProcess(process.pid)!, parts: {}, settings });
  }

  /** The project that the commands work on. */
  get project(): Project {
    return { PUBLIC_SUPABASE_URL: this.settings.apiUrl, SUPABASE_SECRET_KEY: this.settings.secretKey };
  }

  async stop(): Promise<void> {
    await stopGroup(this.#dataApi.pid!);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a command as a program would: piped, with nobody to answer questions. */
  run(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
    const options = { cwd: this.folder, env: this.#makeEnvironment(environment), maxBuffer: 2 ** 26 };
    return new Promise((end) => {
      const child = execFile(process.execPath, [this.#program, ...args], options, (_, stdout, stderr) =>
        end({ status: child.exitCode, stdout, stderr }),
      );
      child.stdin!.end();
    });
  }

  /** Runs a command that must succeed. Resolves to the JSON that it prints. */
  async read(...args: string[]): Promise<unknown> {
    const { status, stdout, stderr } = await this.run([...args, '--json']);
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  /** Runs a command in a terminal, where somebody types the answer when the question appears and `before` is done. */
  async type(
    args: string[],
    answer: string,
    before?: () => Promise<unknown>,
  ): Promise<{ status: number | null; screen: string }> {
    const command = [process.execPath, this.#program, ...args].join(' ');
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: this.folder,
      env: this.#makeEnvironment(),
    });
    let screen = '';
    let isAsked = false;
    child.stdout.on('data', (chunk) => {
      screen += chunk;
      if (!screen.includes('[y/N]') || isAsked) return;
      isAsked = true;
      void Promise.resolve(before?.()).then(() => child.stdin.end(answer));
    });
    await once(child, 'close');
    return { status: child.exitCode, screen };
  }

  /** Starts a command and returns the running process. */
  spawn(args: string[], stdio: StdioOptions = ['ignore', 'pipe', 'pipe']): ChildProcess {
    return spawn(process.execPath, [this.#program, ...args], {
      cwd: this.folder,
      env: this.#makeEnvironment(),
      stdio,
    });
  }

  #makeEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    return { ...process.env, DATA_DIR: this.settings.dataDir, ...more };
  }
}

/** The owner's command line and SQL for the tests of a file, on its own database. `root` is the folder of a copy of the project. */
export function startOwner(root = project): { owner: CommandLine; sql: postgres.Sql } {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} });
  const owner = new CommandLine(databaseUrl, root);
  beforeAll(() => owner.start());
  afterAll(async () => {
    await owner.stop();
    await sql.end();
  });
  return { owner, sql };
}
