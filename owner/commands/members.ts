import type { Command } from 'commander';
import { parseCount, parseEmail } from '../arguments.ts';
import { describe, type Options } from '../command.ts';
import { confirm } from '../confirmation.ts';
import { formatCount, formatTime, toCsv, toJsonArray, toLines } from '../formats.ts';
import { note, print, printJson, save, say } from '../output.ts';
import type { Waitlist } from '../waitlist-client.ts';

export interface Member {
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
      const members = await countMembers(open());
      if (json) printJson({ members });
      else say(String(members));
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
}

async function list(waitlist: Waitlist, { limit, json }: Options & { limit?: number }): Promise<void> {
  const members = readMembers(waitlist, { limit });
  if (json) return void (await print(toJsonArray(members)));
  const lines = toLines(members, ({ created_at, email }) => `${formatTime(created_at)}  ${email}`);
  // Printed separately, so that the number of lines is the number of members.
  if (!(await print(lines))) note('No members.');
}

async function exportMembers(
  waitlist: Waitlist,
  { output, json }: Options & { output?: string },
): Promise<void> {
  let written = 0;
  const read = async function* () {
    for await (const page of readMembers(waitlist, { mailable: true })) {
      written += page.length;
      yield page;
    }
  };
  const texts = json ? toLines(read(), JSON.stringify) : toCsv(read(), ['email', 'created_at', 'source']);
  if (output === undefined) return void (await print(texts));
  await save(texts, output, json ? '.jsonl' : '.csv');
  note(`Written to ${output}: ${formatCount(written, 'member')}.`);
  const skipped = (await countMembers(waitlist)) - written;
  if (skipped > 0) note(`Skipped: ${formatCount(skipped, 'member')} who bounced permanently or complained.`);
}

async function remove(waitlist: Waitlist, email: string, { yes, json }: Options): Promise<void> {
  await confirm(`Remove ${email} from the list and the outbox?`, yes);
  const removed = await waitlist.call<boolean>('remove_member', { email });
  if (json) printJson({ email, removed });
  if (!removed) throw new Error(`${email} was not on the list.`);
  if (!json) say(`${email} was removed.`);
}

/** Reads members page by page, oldest first. With `mailable`, it skips those who are never mailed. */
export function readMembers(
  waitlist: Waitlist,
  { mailable = false, limit = Infinity } = {},
): AsyncGenerator<Member[]> {
  return waitlist.readPages<Member>(
    'list_members',
    { mailable },
    ({ created_at, email }) => ({ after_time: created_at, after_email: email }),
    { limit },
  );
}

export function countMembers(waitlist: Waitlist): Promise<number> {
  return waitlist.call('count_members');
}
