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
  /** Set while bounces or complaints hold up all but the first welcome of each caller. */
  brake: string | null;
}

/** Writes how long messages wait for their delivery. */
export function formatWait({ per_second, paused_until, problem, brake }: Delivery, messages: number): string {
  if (paused_until) return `paused until ${formatTime(paused_until)}${problem ? `: ${problem}` : ''}`;
  if (brake) return 'held up by the brake: "summary" says why';
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
