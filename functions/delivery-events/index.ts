import { Database } from '../../shared/database.ts';
import { readMailbox } from '../_shared/mailbox.ts';
import { hash } from '../_shared/secrets.ts';
import { serve } from '../_shared/serve.ts';
import { handleDeliveryEvent, type Services } from './handler.ts';
import { isSigned } from './signature.ts';

serve('delivery-events', (config) => {
  const database = new Database(config);
  const hashMailbox = (email: string) => hash('mailbox', readMailbox(email), config.tokenSecrets.at(-1)!);

  const services: Services = {
    isSigned: (headers, body) => isSigned(headers, body, config.webhookSecret),
    async record(id, { kind, message, at, problem, neverMail }) {
      await database.call('record_delivery_event', {
        event_id: id,
        provider_message: message,
        kind,
        occurred_at: at,
        problem,
        mailbox_hash: neverMail === null ? null : await hashMailbox(neverMail),
      });
    },
    async forgive(email) {
      await database.call('forgive', { mailbox_hash: await hashMailbox(email) });
    },
    log: (line) => console.error(line),
  };

  return (request) => handleDeliveryEvent(request, services);
});
