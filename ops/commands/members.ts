import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { parseEmailAddress } from '../../shared/email-address.ts';
import { confirm, describe, type Options, parseEmail, parseTime, UsageError } from '../command.ts';
import { answer, formatCount, note, print, save, say } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Member {
  email: string;
  /** ISO 8601 to the microsecond, like every time that the database returns. */
  created_at: string;
  source: string;
  /** The names of the announcements that were sent to the member, separated by spaces. */
  announcements: string | null;
}

/** A member who never got a message, and why: `came back` or `refused`. */
type Undelivered = Record<'email' | 'created_at' | 'kind', string>;

const SAMPLE = 10; // addresses

export function addExport(program: Command, open: () => Waitlist): void {
  describe(
    program.command('export'),
    'Write the members who may be mailed, oldest first, as CSV, or as JSON Lines with --json.',
    ['export --output members.csv', 'export --json --output members.jsonl', 'export | gzip > members.csv.gz'],
    'The column "announcements" lists those that the member got. Addresses that bounced permanently, complained or were barred are skipped. "backup" saves these, too.',
  )
    .option('--output <file>', 'write to this new file, readable only by you, instead of printing')
    .action(async ({ output, json }: Options & { output?: string }) => {
      const members = await open().call<Member[]>('list_members');
      const text = json ? members.map((member) => `${JSON.stringify(member)}\n`).join('') : toCsv(members);
      if (output === undefined) return print(text);
      await save([text], output, json ? '.jsonl' : '.csv');
      note(`Written to ${output}: ${formatCount(members.length, 'member')}.`);
    });
}

export function addRemove(program: Command, open: () => Waitlist): void {
  describe(
    program.command('remove'),
    'Remove a mailbox from the list and the outbox: every spelling of the address. What waits for it is not sent.',
    ['remove name@example.com', 'remove --file bots.csv'],
    'Tags do not count (name+tag@), and neither do dots at Gmail. It shows what it found, and asks first. A file has one address per line, or is an "export" from which you deleted the members to keep.',
  )
    .argument('[address]', 'the email address of a member', parseEmail)
    .option('--file <file>', 'remove the mailbox of every address in this file')
    .option('--yes', 'do not ask')
    .action(async (email: string | undefined, { file, yes, json }: Options & { file?: string }) => {
      if ((email === undefined) === (file === undefined))
        throw new UsageError('Give one address, or --file and the name of a file.');
      const waitlist = open();
      const found = await waitlist.findSpellings(email ? [email] : readAddresses(file!));
      if (found.length === 0)
        throw new Error(email ? explainUnknown(email) : 'No address in the file is on the list.');
      (json ? note : say)(...found.slice(0, SAMPLE).map((one) => `  ${one}`));
      const count = formatCount(found.length, 'address', 'addresses');
      await confirm(`Remove ${count} from the list and the outbox? You cannot undo this.`, yes);
      const removed = await waitlist.callInPortions('remove_members', 'emails', found);
      answer(json, { removed, emails: found }, `Removed: ${removed} of ${count}.`);
    });
}

/** Says that no spelling of an address is on the list. */
export function explainUnknown(email: string): string {
  return `${email} is not on the list, and neither is another spelling of its mailbox.`;
}

/** Reads the first column of a file. Throws a UsageError with the number of a line that has no address. */
function readAddresses(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const typed = line.split(',')[0]!.replace(/^\uFEFF|^'(?=['=+@-])/, '');
    if (typed.trim() === '' || (index === 0 && typed === 'email')) return [];
    const email = parseEmailAddress(typed);
    if (email === undefined)
      throw new UsageError(`${file}:${index + 1} has no address. Nothing was removed.`);
    return [email];
  });
}

export function addRemoveUndelivered(program: Command, open: () => Waitlist): void {
  describe(
    program.command('remove-undelivered'),
    'Remove what a bot left behind: the members who joined in a given period and whose welcome was refused after a try, or came back.',
    ['remove-undelivered --from 2026-11-26T08:00 --until 2026-11-26T09:30'],
    'It says how many came back or were refused, shows some, and asks first. Members who got a message stay, and so do those who wait for one.',
  )
    .requiredOption('--from <time>', 'when the first of them joined, in UTC', parseTime)
    .option('--until <time>', 'the end of that period (default: now)', parseTime)
    .option('--yes', 'do not ask')
    .action(async ({ from, until, yes, json }: Options & { from: string; until?: string }) => {
      if (until && until <= from) throw new UsageError('--until must be later than --from.');
      const waitlist = open();
      const joined = { joined_from: from, joined_until: until ?? new Date().toISOString() };
      const found = await waitlist.call<Undelivered[]>('list_undelivered', joined);
      (json ? note : say)(...describeUndelivered(found));
      const question = `Remove ${formatCount(found.length, 'member')}? You cannot undo this: make a backup first.`;
      if (found.length > 0) await confirm(question, yes);
      const emails = found.map(({ email }) => email);
      const removed = await waitlist.callInPortions('remove_members', 'emails', emails, {
        only_undelivered: true,
      });
      answer(json, { removed }, `Removed: ${removed} of ${formatCount(found.length, 'member')}.`);
    });
}

export function addBar(program: Command, open: () => Waitlist): void {
  describe(
    program.command('bar'),
    'Never mail a mailbox again, whoever signs it up. "remove" takes it off the list, and "forgive" lifts the bar.',
    ['bar name@example.com'],
  )
    .argument('<address>', 'any email address', parseEmail)
    .action(async (email: string, { json }: Options) => {
      const waitlist = open();
      const { mailbox_hash } = await waitlist.hash(email);
      const hashes = [mailbox_hash];
      const barred = await waitlist.call<boolean>('set_barred', { hashes, is_barred: true, email });
      const said = `${email} will never be mailed${barred ? ' again' : ': it was barred before'}.`;
      answer(json, { email, barred }, said);
    });
}

export function addForgive(program: Command, open: () => Waitlist): void {
  describe(
    program.command('forgive'),
    'Allow mail again to an address that bounced permanently, complained or was barred. First remove it from the suppression list at Resend.',
    ['forgive name@example.com'],
    'A complaint covers the whole mailbox: tags and, at Gmail, dots do not count. "retry" then sends what was refused, but not what bounced.',
  )
    .argument('<address>', 'an email address', parseEmail)
    .action(async (email: string, { json }: Options) => {
      const waitlist = open();
      const hashes = Object.values(await waitlist.hash(email));
      const forgiven = await waitlist.call<boolean>('set_barred', { hashes, is_barred: false, email });
      if (!forgiven) throw new Error(`${email} is not barred. It can be mailed.`);
      const said = `${email} may be mailed again. "retry ${email}" sends what was refused, but not what bounced.`;
      answer(json, { email, forgiven }, said);
    });
}

function describeUndelivered(found: Undelivered[]): string[] {
  const kinds = Object.entries(Object.groupBy(found, ({ kind }) => kind));
  return [
    ...kinds.map(([kind, members]) => `${formatCount(members!.length, 'member')}: ${kind}`),
    ...found.slice(0, SAMPLE).map(({ email, kind }) => `  ${email}  ${kind}`),
  ];
}

/** Writes CSV (RFC 4180). An address that a spreadsheet would run as a formula gets an apostrophe. No value needs quotes. */
function toCsv(members: Member[]): string {
  const lines = members.map(({ email, created_at, source, announcements }) =>
    [email, created_at, source, announcements ?? '']
      .map((value) => value.replace(/^['=+@-]/, "'$&"))
      .join(','),
  );
  return ['email,created_at,source,announcements', ...lines, ''].join('\r\n');
}
