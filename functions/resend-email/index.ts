import { readEmailConfig } from '../config.ts';
import { Database } from '../../ground/database.ts';
import { hash, hashToken, makeUnsubscribeToken } from '../secrets.ts';
import { serve } from '../serve.ts';
import { readCaller, readMailbox } from './caller.ts';
import { asksForCaller, reportCaller } from './caller-report.ts';
import { composeMessage, type Template } from './compose-message.ts';
import { type Lease, makeDelivery } from './delivery.ts';
import { handleSignUp, type Services } from './handler.ts';
import { sendMessage } from './send-message.ts';
import { welcome } from '../../ground/welcome.ts';

/** A row of lease_delivery. Without an id, there is nothing to send now, only a time to wait. */
interface Leased extends Omit<Lease, 'id' | 'message'> {
  id: string | null;
  /** Only a welcome has one. An announcement is composed from the columns below. */
  message: string | null;
  email: string;
  member_id: string;
  /** Null if this process already has it. */
  template: string | null;
  template_hash: string;
}

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

serve(readEmailConfig, (config) => {
  const database = new Database(config);
  const log = (line: string) => console.error(line);

  let known: { hash: string; template: Template } | undefined;
  const deliver = makeDelivery({
    async lease() {
      const [row] = await database.call<Leased>('lease_delivery', { known_template: known?.hash });
      if (row === undefined) return undefined;
      const { id, lease, message, wait } = row;
      if (id === null) return wait;
      if (message !== null) return { id, lease, message, wait };
      // Otherwise 100,000 messages would fetch the same text 100,000 times.
      if (row.template !== null)
        known = { hash: row.template_hash, template: JSON.parse(row.template) as Template };
      const token = await makeUnsubscribeToken(row.member_id, config.tokenSecret);
      return { id, lease, message: composeMessage(known!.template, row.email, token, config), wait };
    },
    send: (message, idempotencyKey) => sendMessage(message, idempotencyKey, config),
    async record({ id, lease }, outcome) {
      await database.call('record_delivery', {
        delivery: id,
        held_lease: lease,
        outcome: outcome.kind,
        provider_message: outcome.kind === 'sent' ? outcome.providerId : null,
        problem: outcome.kind === 'sent' ? null : outcome.problem,
        retry_after: outcome.kind === 'postponed' ? outcome.retryAfter : null,
      });
    },
    now: () => performance.now(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    log,
  });

  const services: Services = {
    siteOrigins: config.siteOrigins,
    publicKeys: config.publicKeys,
    async accept(email, request) {
      const { tokenSecret, callerHeader } = config;
      const hashed = (purpose: string, value: string | undefined) =>
        value === undefined ? null : hash(purpose, value, tokenSecret);
      const caller = readCaller(request.headers, callerHeader);
      // A known member keeps the id and the message of the first sign-up.
      const memberId = crypto.randomUUID();
      const token = await makeUnsubscribeToken(memberId, tokenSecret);
      const [answer] = await database.call<{ outcome: string; retry_after: number | null }>(
        'accept_sign_up',
        {
          email,
          message: composeMessage(welcome, email, token, config),
          member_id: memberId,
          unsubscribe_token_hash: await hashToken(token),
          caller_hash: await hashed('caller', caller?.caller),
          network_hash: await hashed('network', caller?.network),
          email_hash: await hash('address', email, tokenSecret),
          mailbox_hash: await hash('mailbox', readMailbox(email), tokenSecret),
        },
      );
      if (answer === undefined) throw new Error('accept_sign_up: no answer');
      return answer.outcome === 'accepted' ? 'accepted' : { retryAfter: answer.retry_after ?? 60 };
    },
    deliver,
    inBackground(work) {
      // Supabase stops a function after its response, unless the function has registered more work.
      if (typeof EdgeRuntime !== 'undefined') EdgeRuntime.waitUntil(work);
    },
    log,
  };

  return async (request) =>
    asksForCaller(request) ? reportCaller(request, config) : handleSignUp(request, services);
});
