import { Database } from '../../shared/database.ts';
import { hashAddress, makeFingerprint } from '../_shared/mailbox.ts';
import { hash } from '../_shared/secrets.ts';
import { makeUnsubscribeToken } from '../_shared/unsubscribe-token.ts';
import { serve } from '../_shared/serve.ts';
import { readCaller } from './caller.ts';
import { composeMessage, type Template } from './compose-message.ts';
import { type Lease, makeDelivery, type Pause } from './delivery.ts';
import { handleSignUp, type Services } from './handler.ts';
import { sendMessage } from './send-message.ts';
import { welcome } from '../../shared/welcome.ts';

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

serve('resend-email', (config) => {
  const database = new Database(config);

  // Otherwise 100,000 messages would fetch the same text 100,000 times, and a plan at Supabase limits what leaves the database.
  const templates = new Map<string, Template>();
  async function findTemplate(hash: string): Promise<Template> {
    const template =
      templates.get(hash) ?? (JSON.parse(await database.call<string>('find_template', { hash })) as Template);
    templates.set(hash, template);
    return template;
  }

  const deliver = makeDelivery({
    lease: () => database.call<Lease | Pause | null>('lease_delivery'),
    async compose({ email, member_id, template }) {
      const token = makeUnsubscribeToken(member_id, config.tokenSecrets[0]!);
      return composeMessage(await findTemplate(template), email, token, config);
    },
    send: (message, idempotencyKey) => sendMessage(message, idempotencyKey, config),
    async record({ id, lease }, outcome) {
      if (outcome.kind === 'sent') {
        await database.call('record_sent', { delivery: id, provider_message: outcome.providerId ?? null });
        return;
      }
      const { kind, ...reason } = outcome;
      const failure = { delivery: id, held_lease: lease, outcome: kind, pause: null, ...reason };
      await database.call('record_failure', failure);
    },
    now: () => performance.now(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });

  const services: Services = {
    ...config,
    fingerprint: makeFingerprint(config.tokenSecrets),
    accept(email, request) {
      const { tokenSecrets, callerHeader } = config;
      const caller = readCaller(request.headers, callerHeader);
      return database.call('accept_sign_up', {
        email,
        template: JSON.stringify(welcome),
        caller_hash: caller === undefined ? null : hash('caller', caller, tokenSecrets.at(-1)!),
        ...hashAddress(email, tokenSecrets),
      });
    },
    deliver,
    inBackground(work) {
      // Supabase stops a function after its response, unless the function has registered more work.
      if (typeof EdgeRuntime !== 'undefined') EdgeRuntime.waitUntil(work);
    },
  };

  return (request) => handleSignUp(request, services);
});
