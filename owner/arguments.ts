import { InvalidArgumentError } from 'commander';
import { parseEmailAddress } from '../ground/email-address.ts';

/** @throws InvalidArgumentError for anything but a whole number from 1 to the largest that the database stores. */
export function parseCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 2 ** 31 - 1)
    throw new InvalidArgumentError('Give a whole number from 1 to 2147483647.');
  return count;
}

/** @throws InvalidArgumentError for anything but one email address. */
export function parseEmail(text: string): string {
  const email = parseEmailAddress(text);
  if (email === undefined) throw new InvalidArgumentError('Give one address such as name@example.com.');
  return email;
}

/** @throws InvalidArgumentError for anything but a day or a moment in UTC: `2026-11-26`, `2026-11-26T08:00`. */
export function parseTime(text: string): string {
  const time = new Date(/T/.test(text) && !/Z$/.test(text) ? `${text}Z` : text);
  if (!/^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Give a time in UTC such as 2026-11-26T08:00.');
  return time.toISOString();
}
