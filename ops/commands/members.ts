import type { Command } from 'commander';
import { confirm, describe, type Options, parseCount, parseEmail, parseTime } from '../command.ts';
import { answer, answerRows, formatCount, formatTime, note, print, save } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Member {
  email: string;
  /** ISO 8601 to the microsecond, in UTC, like every time that the database returns. */
  created_at: string;
  source: string;
}

export function addMembers(program: Command, open: () => Waitlist): void {
  describe(program.command('list'), 'Print the members, oldest first.', ['list', 'list --limit 100 --json'])
    .option('--limit <number>', 'maximum number of members', parseCount)
    .action(async ({ limit, json }: Options & { limit?: number }) => {
      const format = ({ created_at, email }: Member) => `${formatTime(created_at)}  ${email}`;
      answerRows(json, await readMembers(open(), false, limit), format, 'No members.');
    });
  describe(program.command('count'), 'Print how many members there are.', ['count']).action(
    async ({ json }: Options) => {
      const members = await open().call<number>('count_members');
      answer(json, { members }, String(members));
    },
  );
  describe(
    program.command('export'),
    'Write the members who may be mailed, oldest first, as CSV, or as JSON Lines with --json.',
    ['export --output members.csv', 'export --json --output members.jsonl', 'export | gzip > members.csv.gz'],
    'Addresses that bounced permanently or complained are skipped: they are never mailed again. "backup" saves everything.',
  )
    .option('--output <file>', 'write to this new file, readable only by you, instead of printing')
    .action(async ({ output, json }: Options & { output?: string }) => {
      const waitlist = open();
      const members = await readMembers(waitlist, true);
      const text = json ? members.map((member) => `${JSON.stringify(member)}\n`).join('') : toCsv(members);
      if (output === undefined) return print(text);
      save(text, output, json ? '.jsonl' : '.csv');
      note(`Written to ${output}: ${formatCount(members.length, 'member')}.`);
      const skipped = (await waitlist.call<number>('count_members')) - members.length;
      if (skipped > 0)
        note(`Skipped: ${formatCount(skipped, 'member')} who bounced permanently or complained.`);
    });
  describe(
    program.command('remove'),
    'Remove an address from the list and the outbox. Nothing more is sent to it.',
    ['remove name@example.com', 'remove name@example.com --yes --json'],
  )
    .argument('<address>', 'the email address of a member', parseEmail)
    .option('--yes', 'do not ask')
    .action(async (email: string, { yes, json }: Options) => {
      const waitlist = open();
      await confirm(`Remove ${email} from the list and the outbox?`, yes);
      const removed = await waitlist.call<boolean>('remove_member', { email });
      if (!removed) throw new Error(`${email} was not on the list.`);
      answer(json, { email, removed }, `${email} was removed.`);
    });
  describe(
    program.command('remove-undelivered'),
    'Remove what a bot left behind: the members who joined in a certain time and whose welcome was not sent or bounced permanently.',
    ['remove-undelivered --from 2026-11-26T08:00 --until 2026-11-26T09:30'],
    'It says how many, and asks first. Members whose welcome arrived stay.',
  )
    .requiredOption('--from <time>', 'when the first of them joined, in UTC', parseTime)
    .option('--until <time>', 'the end of that time (default: now)', parseTime, 'infinity')
    .option('--yes', 'do not ask')
    .action(async ({ from, until, yes, json }: Options & { from: string; until: string }) => {
      const waitlist = open();
      const time = { joined_from: from, joined_until: until };
      const found = await waitlist.call<number>('remove_undelivered', time);
      if (found > 0)
        await confirm(`Remove ${formatCount(found, 'member')} whose welcome was not sent, or bounced?`, yes);
      const removed =
        found && (await waitlist.call<number>('remove_undelivered', { ...time, is_preview: false }));
      answer(json, { removed }, `Removed: ${formatCount(removed, 'member')}.`);
    });
  describe(
    program.command('forgive'),
    'Let an address be mailed again that bounced permanently or complained. First remove it from the suppression list at Resend.',
    ['forgive name@example.com'],
    'It covers the whole mailbox: tags and, at Gmail, dots do not count. "retry" then sends what was refused.',
  )
    .argument('<address>', 'the email address of a member', parseEmail)
    .action(async (email: string, { json }: Options) => {
      const forgiven = await open().call<boolean>('forgive', { email });
      if (!forgiven) throw new Error(`${email} is not on the list, or may be mailed already.`);
      answer(
        json,
        { email, forgiven },
        `${email} may be mailed again. "retry ${email}" sends what was refused.`,
      );
    });
}

/** Reads the members, oldest first: with `mailable` only those who may be mailed. */
export function readMembers(waitlist: Waitlist, mailable = false, limit?: number): Promise<Member[]> {
  const placeOf = ({ created_at, email }: Member) => ({ after_time: created_at, after_email: email });
  return waitlist.readAll('list_members', { mailable }, placeOf, limit);
}

/** Writes CSV (RFC 4180). An address that a spreadsheet would run as a formula gets an apostrophe. No value needs quotes. */
function toCsv(members: Member[]): string {
  const lines = members.map(
    ({ email, created_at, source }) => `${email.replace(/^[=+-]/, "'$&")},${created_at},${source}\r\n`,
  );
  return ['email,created_at,source\r\n', ...lines].join('');
}
