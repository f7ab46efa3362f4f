import { Database } from '../../shared/database.ts';
import { hashAddress } from '../_shared/mailbox.ts';
import { serve } from '../_shared/serve.ts';
import { handleDeliveryEvent, type Services } from './handler.ts';
import { isSigned } from './signature.ts';

serve('delivery-events', (config) => {
  const database = new Database(config);
  const noHashes = { address_hash: null, mailbox_hash: null };

  const services: Services = {
    isSigned: (headers, body) => isSigned(headers, body, config.webhookSecret),
    async record(id, { kind, message, isFinal, problem, recipient }) {
      await database.call('record_delivery_event', {
        event_id: id,
        provider_message: message,
        kind,
        is_final: isFinal,
        problem,
        ...(recipient === null ? noHashes : hashAddress(recipient, config.tokenSecrets)),
      });
    },
  };

  return (request) => handleDeliveryEvent(request, services);
});
