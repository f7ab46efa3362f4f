import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { waitUntil } from '../../local/process.ts';

/** A program in a terminal where somebody types. */
export class Terminal {
  /** Everything that was on the screen, without control characters. */
  screen = '';
  #child: ChildProcess;
  #closed: Promise<unknown>;
  #seen = 0;

  /** `program` may have arguments. */
  constructor(program: string, options: { cwd: string; env: Record<string, string | undefined> }) {
    const command = `stty cols 160 rows 60; exec '${process.execPath}' ${program}`;
    this.#child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
      ...options,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // A program can exit before everything that it printed has been read.
    this.#closed = once(this.#child, 'close');
    this.#child.stdout?.on('data', (chunk) => (this.screen += stripVTControlCharacters(String(chunk))));
  }

  /** Waits for new text on the screen, then types. Throws an Error when the text does not appear. */
  async type(question: string, keys: string): Promise<void> {
    const isAsked = () => this.screen.indexOf(question, this.#seen) >= 0;
    if (!(await waitUntil(isAsked, 15_000))) throw new Error(`Nobody asked "${question}":\n${this.screen}`);
    this.#seen = this.screen.indexOf(question, this.#seen) + question.length;
    this.#child.stdin?.write(keys);
  }

  /** Waits for the end of the program. Resolves to its exit status. */
  async end(): Promise<number> {
    await this.#closed;
    return this.#child.exitCode ?? 1;
  }
}
