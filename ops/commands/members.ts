import { type Command, InvalidArgumentError } from 'commander';
import { readUnsubscribeToken } from '../../functions/_shared/unsubscribe-token.ts';
import { confirm, describe, type Options, parseEmail, parseTime } from '../command.ts';
import { answer, formatCount, note, print, save, say } from '../output.ts';
import { readTokenSecrets } from '../project.ts';
import type { Waitlist } from '../waitlist-client.ts';

interface Member {
  email: string;
  /** ISO 8601 to the microsecond, in UTC, like every time that the database returns. */
  created_at: string;
  source: string;
  /** The names of the announcements that were sent to the member, separated by spaces. */
  announcements: string | null;
  is_never_mailed: boolean;
}

type Undelivered = Record<'id' | 'email' | 'created_at', string> & { kind: keyof typeof reasons };

/** Why a member never got a message. */
const reasons = {
  'came back': 'their welcome bounced permanently, or Resend suppressed it',
  refused: 'their welcome was refused after a try',
  'not tried': 'their welcome waits or was refused, and was never tried',
};

const placeOf = (last: { created_at: string; email: string }) => {
  return { after_time: last.created_at, after_email: last.email };
};

const PORTION = 1000; // members that are removed at once
const SAMPLE = 10; // addresses

export function addMembers(program: Command, open: () => Waitlist): void {
  describe(
    program.command('export'),
    'Write the members who may be mailed, oldest first, as CSV, or as JSON Lines with --json.',
    ['export --output members.csv', 'export --json --output members.jsonl', 'export | gzip > members.csv.gz'],
    'The column "announcements" says who got which. Addresses that bounced permanently or complained are skipped: they are never mailed again. "backup" saves everything.',
  )
    .option('--output <file>', 'write to this new file, readable only by you, instead of printing')
    .action(async ({ output, json }: Options & { output?: string }) => {
      const all = await open().readAll<Member>('list_members', {}, placeOf);
      const members = all.flatMap(({ is_never_mailed, ...member }) => (is_never_mailed ? [] : [member]));
      const text = json ? members.map((member) => `${JSON.stringify(member)}\n`).join('') : toCsv(members);
      if (output === undefined) return print(text);
      save(text, output, json ? '.jsonl' : '.csv');
      note(`Written to ${output}: ${formatCount(members.length, 'member')}.`);
      const skipped = all.length - members.length;
      if (skipped > 0)
        note(`Skipped: ${formatCount(skipped, 'member')} who bounced permanently or complained.`);
    });
  describe(
    program.command('remove'),
    'Remove an address from the list and the outbox. Nothing more is sent to it.',
    ['remove name@example.com', 'remove "Unsubscribe 5vbXcZ…" --hosted'],
    'Give it the subject of an email that asks to unsubscribe, too: it contains the token of the member, and removes every address of that mailbox.',
  )
    .argument('<address>', 'the email address of a member, or the subject "Unsubscribe <token>"', parseWho)
    .option('--yes', 'do not ask')
    .action(async ({ email, token }: { email?: string; token?: string }, { yes, json }: Options) => {
      const waitlist = open();
      const who = email ?? 'every address of that mailbox';
      const member_id = token && readUnsubscribeToken(token, readTokenSecrets(waitlist.project));
      if (token && !member_id) throw new Error('No message of this project has that token. Copy all of it.');
      await confirm(`Remove ${who} from the list and the outbox?`, yes);
      const removed = email
        ? await waitlist.call<boolean>('remove_member', { email })
        : await waitlist.call<boolean>('unsubscribe_member', { member_id });
      if (!removed)
        throw new Error(
          email
            ? `${email} was not on the list.`
            : 'Nobody has that token: the member left more than 30 days ago, or came back since.',
        );
      const at = new Date().toISOString();
      answer(json, { email, token, removed, at }, `Removed at ${at}: ${who}.`);
    });
  describe(
    program.command('remove-undelivered'),
    'Remove what a bot left behind: the members who joined in a certain time and whose welcome was refused after a try, or came back.',
    ['remove-undelivered --from 2026-11-26T08:00 --until 2026-11-26T09:30'],
    'It says how many there are of each kind, shows some, and asks first. Members who got a message stay. Without --waiting, so do those who only wait.',
  )
    .requiredOption('--from <time>', 'when the first of them joined, in UTC', parseTime)
    .option('--until <time>', 'the end of that time (default: now)', parseTime)
    .option('--waiting', 'also those whose welcome was never tried')
    .option('--yes', 'do not ask')
    .action(async ({ from, until, waiting, yes, json }: RemoveOptions) => {
      const waitlist = open();
      const joined = { joined_from: from, joined_until: until ?? new Date().toISOString() };
      const call = { ...joined, with_waiting: waiting === true };
      const found = await waitlist.readAll<Undelivered>('list_undelivered', call, placeOf);
      (json ? note : say)(...describeUndelivered(found));
      if (found.length > 0) await confirm(`Remove ${formatCount(found.length, 'member')}?`, yes);
      let removed = 0;
      for (let at = 0; at < found.length; at += PORTION) {
        const ids = found.slice(at, at + PORTION).map(({ id }) => id);
        removed += await waitlist.call<number>('remove_undelivered', { ids });
      }
      const stayed = found.length - removed;
      const why = `${formatCount(stayed, 'member')} stayed: something was sent to them, or they were leaving.`;
      const said = `Removed: ${formatCount(removed, 'member')}.`;
      answer(json, { removed, stayed }, stayed > 0 ? `${said} ${why}` : said);
    });
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

type RemoveOptions = Options & { from: string; until?: string; waiting?: true };

function describeUndelivered(found: Undelivered[]): string[] {
  if (found.length === 0) return ['Nobody who joined in that time is left to remove.'];
  const counts = Object.entries(reasons).flatMap(([kind, reason]) => {
    const count = found.filter((one) => one.kind === kind).length;
    return count > 0 ? [`${formatCount(count, 'member')}: ${reason}`] : [];
  });
  const more = found.length > SAMPLE ? [`  and ${formatCount(found.length - SAMPLE, 'other')}`] : [];
  return [
    ...counts,
    ...found.slice(0, SAMPLE).map(({ email, kind }) => `  ${email}  ${kind}`),
    ...more,
    'You cannot undo this. "backup --output before.jsonl" writes a backup first.',
  ];
}

/** @throws InvalidArgumentError for anything but one address, or a text that ends with a token. */
function parseWho(text: string): { email: string } | { token: string } {
  const [token] = /(?<![^\s])[\w-]{43}$/.exec(text.trim()) ?? [];
  if (token) return { token };
  if (/^unsubscribe(\s|$)/i.test(text))
    throw new InvalidArgumentError(
      'This subject has no whole token. Remove the address of the sender instead.',
    );
  return { email: parseEmail(text) };
}

/** Writes CSV (RFC 4180). An address that a spreadsheet would run as a formula gets an apostrophe. No value needs quotes. */
function toCsv(members: Omit<Member, 'is_never_mailed'>[]): string {
  const lines = members.map(({ email, created_at, source, announcements }) =>
    [email, created_at, source, announcements ?? '']
      .map((value) => value.replace(/^[=+@-]/, "'$&"))
      .join(','),
  );
  return ['email,created_at,source,announcements', ...lines, ''].join('\r\n');
}
