import type { Command } from 'commander';
import { parseCount, parseEmail, parseTime } from '../arguments.ts';
import { describe, type Options } from '../command.ts';
import { confirm } from '../confirmation.ts';
import { formatCount, formatTime, toCsv, toLines, toRows } from '../formats.ts';
import { answer, note, print, save } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Member {
  email: string;
  /** ISO 8601 to the microsecond, in UTC, like every time that the database returns. */
  created_at: string;
  source: string;
}

/** Adds the commands that print, count, export and remove members. */
export function addMembers(program: Command, open: () => Waitlist): void {
  describe(program.command('list'), 'Print the members, oldest first.', ['list', 'list --limit 100 --json'])
    .option('--limit <number>', 'maximum number of members', parseCount)
    .action((options: Options & { limit?: number }) => list(open(), options));
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
    .action((options: Options & { output?: string }) => exportMembers(open(), options));
  describe(
    program.command('remove'),
    'Remove an address from the list and the outbox. Nothing more is sent to it.',
    ['remove name@example.com', 'remove name@example.com --yes --json'],
  )
    .argument('<address>', 'the email address of a member', parseEmail)
    .option('--yes', 'do not ask')
    .action((email: string, options: Options) => remove(open(), email, options));
  describe(
    program.command('remove-undelivered'),
    'Remove what a bot left behind: the members who joined in a certain time and whose welcome was not sent or bounced permanently.',
    ['remove-undelivered --from 2026-11-26T08:00 --until 2026-11-26T09:30'],
    'It says how many, and asks first. Members whose welcome arrived stay.',
  )
    .requiredOption('--from <time>', 'when the first of them joined, in UTC', parseTime)
    .option('--until <time>', 'the end of that time (default: now)', parseTime, 'infinity')
    .option('--yes', 'do not ask')
    .action((options: Options & { from: string; until: string }) => removeUndelivered(open(), options));
  describe(
    program.command('forgive'),
    'Let an address be mailed again that bounced permanently or complained. First remove it from the suppression list at Resend.',
    ['forgive name@example.com'],
    'It covers the whole mailbox: tags and, at Gmail, dots do not count. "retry" then sends what was refused.',
  )
    .argument('<address>', 'the email address of a member', parseEmail)
    .action((email: string, options: Options) => forgive(open(), email, options));
}

async function list(waitlist: Waitlist, { limit, json }: Options & { limit?: number }): Promise<void> {
  const members = readMembers(waitlist, false, limit);
  const lines = toRows(members, json, ({ created_at, email }) => `${formatTime(created_at)}  ${email}`);
  // Printed separately, so that the number of lines is the number of members.
  if (!(await print(lines))) note('No members.');
}

async function exportMembers(
  waitlist: Waitlist,
  { output, json }: Options & { output?: string },
): Promise<void> {
  let written = 0;
  const read = async function* () {
    for await (const page of readMembers(waitlist, true)) {
      written += page.length;
      yield page;
    }
  };
  const texts = json ? toLines(read(), JSON.stringify) : toCsv(read(), ['email', 'created_at', 'source']);
  if (output === undefined) return void (await print(texts));
  await save(texts, output, json ? '.jsonl' : '.csv');
  note(`Written to ${output}: ${formatCount(written, 'member')}.`);
  const skipped = (await waitlist.call<number>('count_members')) - written;
  if (skipped > 0) note(`Skipped: ${formatCount(skipped, 'member')} who bounced permanently or complained.`);
}

async function remove(waitlist: Waitlist, email: string, { yes, json }: Options): Promise<void> {
  await confirm(`Remove ${email} from the list and the outbox?`, yes);
  const removed = await waitlist.call<boolean>('remove_member', { email });
  if (!removed) throw new Error(`${email} was not on the list.`);
  answer(json, { email, removed }, `${email} was removed.`);
}

async function removeUndelivered(
  waitlist: Waitlist,
  { from, until, yes, json }: Options & { from: string; until: string },
): Promise<void> {
  const call = async (is_preview: boolean) =>
    waitlist.call<number>('remove_undelivered', { joined_from: from, joined_until: until, is_preview });
  const found = await call(true);
  if (found > 0)
    await confirm(`Remove ${formatCount(found, 'member')} whose welcome was not sent, or bounced?`, yes);
  const removed = found > 0 ? await call(false) : 0;
  answer(json, { removed }, `Removed: ${formatCount(removed, 'member')}.`);
}

async function forgive(waitlist: Waitlist, email: string, { json }: Options): Promise<void> {
  const forgiven = await waitlist.call<boolean>('forgive', { email });
  if (!forgiven) throw new Error(`${email} is not on the list, or may be mailed already.`);
  answer(json, { email, forgiven }, `${email} may be mailed again. "retry ${email}" sends what was refused.`);
}

/** Reads members page by page, oldest first: with `mailable` only those who may be mailed. */
export function readMembers(waitlist: Waitlist, mailable = false, limit?: number): AsyncGenerator<Member[]> {
  const placeOf = ({ created_at, email }: Member) => ({ after_time: created_at, after_email: email });
  return waitlist.readPages('list_members', { mailable }, placeOf, limit);
}
