import { rmSync, writeFileSync } from 'node:fs';
import { UsageError } from './command.ts';

export function print(text: string): void {
  process.stdout.write(disarm(text));
}

export function say(...lines: string[]): void {
  print(`${lines.join('\n')}\n`);
}

/** Prints lines that are not part of the answer, on standard error. */
export function note(...lines: string[]): void {
  process.stderr.write(disarm(`${lines.join('\n')}\n`));
}

/** Prints an answer: with --json its value, else its lines. */
export function answer(json: true | undefined, value: unknown, ...lines: string[]): void {
  say(...(json ? [JSON.stringify(value, null, 2)] : lines));
}

/** Prints a line for each row, or with --json all rows. Says on standard error that there are none. */
export function answerRows<Row>(
  json: true | undefined,
  rows: Row[],
  format: (row: Row) => string,
  none = '',
): void {
  if (json || rows.length > 0) answer(json, rows, rows.map(format).join('\n'));
  else note(none);
}

/**
 * Escapes what drives a terminal, because much of what we print was written by others: control characters, and those that
 * change the direction of the text. The escapes mean the same in JSON.
 */
function disarm(text: string): string {
  const armed = /(?!\r\n|[\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
  return text.replace(armed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Writes a whole text to a new file that only the user can read, or leaves no file. Throws an Error that says what to do. */
export function save(text: string, file: string, ending: '.csv' | '.jsonl'): void {
  // Git ignores these endings.
  if (!file.endsWith(ending)) throw new UsageError(`The name of the new file must end in ${ending}.`);
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsageError(`${file} already exists. Choose another name, or delete it first.`);
    if (syscall !== 'open') rmSync(file, { force: true });
    throw new UsageError(`${file} cannot be written (${code}). Choose another place with --output.`);
  }
}

/** Writes a count with its noun: "1 member", "2,000 members". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Writes a line of a table: a label, a number, and a note. */
export function formatFigure(label: string, figure: number, note?: string | false | null): string {
  const line = `${label.padEnd(24)}${figure.toLocaleString('en').padStart(9)}`;
  return note ? `${line}   ${note}` : line;
}

/** How fast messages are sent, and what holds them up. */
export interface Delivery {
  per_second: number;
  /** Set while the provider accepts no messages. */
  paused_until: string | null;
  /** Why the message that was tried last still waits. */
  problem: string | null;
  /** Set while bounces or complaints slow down welcomes to one a minute. */
  brake: string | null;
  /** The welcomes that wait, and the turns of known addresses that signed up again. */
  ahead: number;
}

/** Writes how long the waiting welcomes take, or these and then a number of messages of announcements. */
export function formatWait(
  { per_second, paused_until, problem, brake, ahead }: Delivery,
  announcements = 0,
): string {
  if (paused_until) return `paused until ${formatTime(paused_until)}${problem ? `: ${problem}` : ''}`;
  if (brake && announcements === 0)
    return `about ${formatDuration(ahead * 60)} at one a minute: the brake is on`;
  // The brake does not hold up announcements.
  const messages = brake ? announcements : ahead + announcements;
  return `about ${formatDuration(messages / per_second)} at ${per_second} a second`;
}

/** Writes seconds in whole minutes, hours or days, rounded up. */
export function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return formatCount(minutes, 'minute');
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? formatCount(hours, 'hour') : formatCount(Math.ceil(hours / 24), 'day');
}

/** Writes a time in UTC to the second. */
export function formatTime(moment: string): string {
  return moment.replace(/\.\d+Z$/, 'Z');
}
