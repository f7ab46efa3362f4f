import { readConfig } from '../config.ts';
import { Database } from '../database.ts';
import { readLeaveToken } from '../secrets.ts';
import { handleLeave, type Services } from './handler.ts';

const config = readConfig((name) => Deno.env.get(name));
const database = new Database(config);

const services: Services = {
  siteOrigins: config.siteOrigins,
  readToken: (token) => readLeaveToken(token, config.tokenSecret),
  async leave(address) {
    await database.call('leave_waitlist', { address });
  },
  log: (line) => console.error(line),
};

Deno.serve((request) => handleLeave(request, services));
