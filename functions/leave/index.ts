import { readConfig } from '../config.ts';
import { Database } from '../database.ts';
import { readLeaveToken } from '../secrets.ts';
import { serve } from '../serve.ts';
import { handleLeave, type Services } from './handler.ts';

serve(readConfig, (config) => {
  const database = new Database(config);

  const services: Services = {
    siteOrigins: config.siteOrigins,
    readToken: (token) => readLeaveToken(token, config.tokenSecret),
    async leave(address) {
      await database.call('leave_waitlist', { address });
    },
    log: (line) => console.error(line),
  };

  return (request) => handleLeave(request, services);
});
