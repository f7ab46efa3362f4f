import { InvalidArgumentError } from 'commander';

const DAY = 24 * 60 * 60 * 1000; // milliseconds
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

/**
 * Reads where a span of time starts: a day, from its first moment on, or a time.
 *
 * @throws InvalidArgumentError that shows how a date is written.
 */
export function parseStart(text: string): string {
  return isDay(text) ? `${text}T00:00:00.000000Z` : parseMoment(text);
}

/**
 * Reads the moment before which a span of time ends: a day counts in whole, a time does not count itself.
 *
 * @throws InvalidArgumentError that shows how a date is written.
 */
export function parseEnd(text: string): string {
  if (!isDay(text)) return parseMoment(text);
  return parseStart(new Date(Date.parse(text) + DAY).toISOString().slice(0, 10));
}

/**
 * Reads a time to the microsecond, and writes it with all six digits, so that texts sort like times.
 *
 * @throws InvalidArgumentError that shows how a date is written.
 */
export function parseMoment(text: string): string {
  const [whole = '', fraction = ''] = text.replace('Z', '').split('.');
  const isMoment = MOMENT.test(text) && isSame(`${whole}.000Z`, whole);
  if (!isMoment)
    throw new InvalidArgumentError('Write a day as 2026-11-21, or a time in UTC as 2026-11-21T18:30:00Z.');
  return `${whole}.${fraction.padEnd(6, '0')}Z`;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isSame(text, text);
}

/** Returns whether the calendar has this day. Otherwise the 30th of February would become the 2nd of March. */
function isSame(date: string, start: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(start);
}
