import type { Command } from 'commander';
import { confirm, describe, type Options, parseEmail, parseTime } from '../command.ts';
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
type Undelivered = Record<'id' | 'email' | 'created_at' | 'kind', string>;

const SAMPLE = 10; // addresses

export function addExport(program: Command, open: () => Waitlist): void {
  describe(
    program.command('export'),
    'Write the members who may be mailed, oldest first, as CSV, or as JSON Lines with --json.',
    ['export --output members.csv', 'export --json --output members.jsonl', 'export | gzip > members.csv.gz'],
    'The column "announcements" says who got which. Addresses that bounced permanently or complained are skipped: they are never mailed again. "backup" saves everything.',
  )
    .option('--output <file>', 'write to this new file, readable only by you, instead of printing')
    .action(async ({ output, json }: Options & { output?: string }) => {
      const members = await open().call<Member[]>('list_members');
      const text = json ? members.map((member) => `${JSON.stringify(member)}\n`).join('') : toCsv(members);
      if (output === undefined) return print(text);
      save(text, output, json ? '.jsonl' : '.csv');
      note(`Written to ${output}: ${formatCount(members.length, 'member')}.`);
    });
}

export function addRemove(program: Command, open: () => Waitlist): void {
  describe(
    program.command('remove'),
    'Remove an address from the list and the outbox. Nothing more is sent to it.',
    ['remove name@example.com'],
  )
    .argument('<address>', 'the email address of a member', parseEmail)
    .option('--yes', 'do not ask')
    .action(async (email: string, { yes, json }: Options) => {
      const waitlist = open();
      await confirm(`Remove ${email} from the list and the outbox?`, yes);
      const removed = await waitlist.call<boolean>('remove_member', { email });
      if (!removed) throw new Error(`${email} was not on the list.`);
      answer(json, { email, removed }, `Removed: ${email}.`);
    });
}

export function addRemoveUndelivered(program: Command, open: () => Waitlist): void {
  describe(
    program.command('remove-undelivered'),
    'Remove what a bot left behind: the members who joined in a certain time and whose welcome was refused after a try, or came back.',
    ['remove-undelivered --from 2026-11-26T08:00 --until 2026-11-26T09:30'],
    'It says how many came back or were refused, shows some, and asks first. Members who got a message stay, and so do those who wait for one.',
  )
    .requiredOption('--from <time>', 'when the first of them joined, in UTC', parseTime)
    .option('--until <time>', 'the end of that time (default: now)', parseTime)
    .option('--yes', 'do not ask')
    .action(async ({ from, until, yes, json }: RemoveOptions) => {
      const waitlist = open();
      const joined = { joined_from: from, joined_until: until ?? new Date().toISOString() };
      const found = await waitlist.call<Undelivered[]>('list_undelivered', joined);
      (json ? note : say)(...describeUndelivered(found));
      const question = `Remove ${formatCount(found.length, 'member')}? You cannot undo this: do a backup first.`;
      if (found.length > 0) await confirm(question, yes);
      const ids = found.map(({ id }) => id);
      const removed = await waitlist.callWithIds('remove_undelivered', ids);
      answer(json, { removed }, `Removed: ${removed} of ${formatCount(found.length, 'member')}.`);
    });
}

export function addForgive(program: Command, open: () => Waitlist): void {
  describe(
    program.command('forgive'),
    'Let an address be mailed again that bounced permanently or complained. First remove it from the suppression list at Resend.',
    ['forgive name@example.com'],
    'A complaint covers the whole mailbox: tags and, at Gmail, dots do not count. "retry" then sends what was refused.',
  )
    .argument('<address>', 'the email address of a member', parseEmail)
    .action(async (email: string, { json }: Options) => {
      const forgiven = await open().call<boolean>('forgive', { email });
      if (!forgiven) throw new Error(`${email} is not on the list, or may be mailed already.`);
      const said = `${email} may be mailed again. "retry ${email}" sends what was refused.`;
      answer(json, { email, forgiven }, said);
    });
}

type RemoveOptions = Options & { from: string; until?: string };

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
      .map((value) => value.replace(/^[=+@-]/, "'$&"))
      .join(','),
  );
  return ['email,created_at,source,announcements', ...lines, ''].join('\r\n');
}
