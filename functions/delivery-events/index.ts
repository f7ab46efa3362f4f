import { readEventsConfig } from '../config.ts';
import { Database } from '../database.ts';
import { hash } from '../secrets.ts';
import { handleDeliveryEvent, type Services } from './handler.ts';
import { isSigned } from './signature.ts';

const config = readEventsConfig((name) => Deno.env.get(name));
const database = new Database(config);

const services: Services = {
  isSigned: (headers, body) => isSigned(headers, body, config.webhookSecret),
  async record(id, { kind, message, at, problem, neverMail }) {
    await database.call('record_delivery_event', {
      event_id: id,
      provider_message: message,
      kind,
      occurred_at: at,
      problem,
      address_hash: neverMail === null ? null : await hash('address', neverMail, config.tokenSecret),
    });
  },
  log: (line) => console.error(line),
};

Deno.serve((request) => handleDeliveryEvent(request, services));
