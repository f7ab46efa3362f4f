import { readConfig } from '../config.ts';
import { Database } from '../../ground/database.ts';
import { hashToken } from '../../ground/secrets.ts';
import { serve } from '../serve.ts';
import { handleLeave, type Services } from './handler.ts';

serve(readConfig, (config) => {
  const database = new Database(config);

  const services: Services = {
    ...config,
    async leave(token) {
      const tokenHash = await hashToken(token);
      if (tokenHash === undefined) return 'malformed';
      const [answer] = await database.call<{ has_left: boolean }>('leave_waitlist', {
        token_hash: tokenHash,
      });
      return answer?.has_left === true ? 'left' : 'unknown';
    },
    log: (line) => console.error(line),
  };

  return (request) => handleLeave(request, services);
});
