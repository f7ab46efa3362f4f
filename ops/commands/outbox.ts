import type { Command } from 'commander';
import { describe, type Options, parseEmail } from '../command.ts';
import { answer, formatCount, formatTime } from '../output.ts';
import { describeMessage, type Message } from '../report.ts';
import { explainUnknown } from './members.ts';
import type { Waitlist } from '../waitlist-client.ts';

type Problem = Message & Record<'id' | 'email' | 'at', string>;

const outboxNotes = `Not sent:
  waiting     it will be sent automatically, now or at its next try
  refused     it was not accepted ("retry" sends it again), or must not be sent, as its reason says
  unknown     it may have been sent; "retry --yes" sends it again, perhaps a second time
Came back, as Resend reports it:
  bounced     the mailbox does not exist, or is full
  complained  the member marked it as spam
  suppressed  Resend does not send to this address, which bounced or complained before
  failed      Resend could not send it; it is tried again after 1, 5 and 25 hours

Announcements that only wait for their turn are not listed: "announce <name> --watch" counts them. An address that bounced permanently, complained or was barred is never mailed again, until you "forgive" it.`;

export function addOutbox(program: Command, open: () => Waitlist): void {
  describe(
    program.command('outbox'),
    'Print the messages that were not sent or came back, oldest first.',
    ['outbox', 'outbox --json'],
    outboxNotes,
  ).action(async ({ json }: Options) => {
    const problems = await open().call<Problem[]>('list_outbox');
    const lines = problems.map((one) => `${formatTime(one.at)}  ${one.email}  ${describeMessage(one)}`);
    answer(json, problems, lines.join('\n') || 'No message failed, and none came back.');
  });
  describe(
    program.command('retry'),
    'Queue refused messages again, with --yes also those that may have been sent.',
    ['retry', 'retry name@example.com', 'retry --yes --json'],
    'A message that was sent is not sent again, even if it came back.',
  )
    .argument('[address]', 'only the messages to this mailbox', parseEmail)
    .option('--yes', 'also queue messages that may arrive a second time')
    .action(async (email: string | undefined, { yes, json }: Options) => {
      const waitlist = open();
      let problems = await waitlist.call<Problem[]>('list_outbox');
      if (email) {
        const spellings = await waitlist.findSpellings([email]);
        if (spellings.length === 0) throw new Error(explainUnknown(email));
        problems = problems.filter((one) => spellings.includes(one.email));
      }
      const failed = problems.filter(({ state }) => state === 'refused' || (yes && state === 'unknown'));
      const ids = failed.map(({ id }) => id);
      const retry = () => waitlist.callInPortions('retry_outbox', 'ids', ids);
      // The welcomes first: while one is refused, so are the announcements to its member.
      const retried = (await retry()) + (await retry());
      answer(json, { retried }, `Queued again: ${retried} of ${formatCount(ids.length, 'message')}.`);
    });
  describe(
    program.command('resume'),
    'Return to the usual pace now: end a pause, for example after a change of plan, or the brake.',
    ['resume --hosted'],
    'Both end by themselves. Before you end the brake, find out who signed up the addresses that bounced.',
  ).action(async ({ json }: Options) => {
    await open().call('resume_deliveries');
    answer(json, { resumed: true }, 'Deliveries continue at the usual pace, within a minute.');
  });
}
