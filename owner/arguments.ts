import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { parseEmailAddress } from '../functions/email-address.ts';

const DAY = 24 * 60 * 60 * 1000; // milliseconds

/** @throws InvalidArgumentError for anything but a whole number from 1 to the largest that the database stores. */
export function parseCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 2 ** 31 - 1) throw new InvalidArgumentError('Give a whole number, 1 or more.');
  return count;
}

/** @throws InvalidArgumentError for anything but one email address. */
export function parseEmail(text: string): string {
  const email = parseEmailAddress(text);
  if (email === undefined) throw new InvalidArgumentError('Give one address such as name@example.com.');
  return email;
}

/** @throws InvalidArgumentError for an empty text, such as an unset variable of a shell script. */
export function parseText(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

/** Reads the first moment of a day, or a time in UTC. Throws an InvalidArgumentError that shows how a date is written. */
export function parseStart(text: string): string {
  if (z.iso.date().safeParse(text).success) return `${text}T00:00:00Z`;
  if (z.iso.datetime().safeParse(text).success) return text;
  throw new InvalidArgumentError('Write a day as 2026-11-21, or a time in UTC as 2026-11-21T18:30:00Z.');
}

/** Reads the end of a day, or a time in UTC. Throws like `parseStart`. */
export function parseEnd(text: string): string {
  const start = parseStart(text);
  return start === text ? text : new Date(Date.parse(start) + DAY).toISOString();
}
