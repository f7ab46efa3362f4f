import { InvalidArgumentError } from 'commander';
import { parseEmailAddress } from '../functions/email-address.ts';
import { parseMoment } from './moment.ts';
import type { Place } from './waitlist-client.ts';

const LARGEST = 2 ** 31 - 1; // what the database keeps in a whole number

/** @throws InvalidArgumentError for anything but a whole number from 1 on. */
export function parseCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > LARGEST) throw new InvalidArgumentError('Give a whole number from 1 on.');
  return count;
}

/** @throws InvalidArgumentError for anything but one e-mail address. */
export function parseAddress(text: string): string {
  const address = parseEmailAddress(text);
  if (address === undefined) throw new InvalidArgumentError('Give one address such as name@example.com.');
  return address;
}

/** @throws InvalidArgumentError for an empty text, which a variable that is not set leaves behind. */
export function parseText(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

/**
 * Reads the place of a member in the list: a time and an address with a comma between.
 *
 * @throws InvalidArgumentError that says where to find them.
 */
export function parsePlace(text: string): Place {
  const [time = '', address = ''] = text.split(',');
  try {
    return { after_time: parseMoment(time), after_address: parseAddress(address) };
  } catch {
    throw new InvalidArgumentError(
      'Give created_at and email of a member with a comma between, as "list --json" prints them.',
    );
  }
}
