import { Database } from '../../shared/database.ts';
import { readUnsubscribeToken } from '../_shared/unsubscribe-token.ts';
import { serve } from '../_shared/serve.ts';
import { handleUnsubscribe, type Services } from './handler.ts';

serve('unsubscribe', (config) => {
  const database = new Database(config);

  const services: Services = {
    ...config,
    async unsubscribe(token) {
      const memberId = readUnsubscribeToken(token, config.tokenSecrets);
      if (memberId === undefined) return 'malformed';
      const hasLeft = await database.call('unsubscribe_member', { member_id: memberId });
      return hasLeft === true ? 'unsubscribed' : 'unknown';
    },
  };

  return (request) => handleUnsubscribe(request, services);
});
