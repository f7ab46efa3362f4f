// Loaded before a program under test. Redirects its calls from the hosted services and the live site to the stand-ins.
// DNS has a single record, a CNAME for the host in CNAME_OF.
import { Resolver } from 'node:dns/promises';

const services = /(^|\.)(supabase\.com?|resend\.com|cloudflare\.com|stash\.test)$/;
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const { hostname, pathname, search } = new URL(input instanceof Request ? input.url : input);
  if (!services.test(hostname)) return fetch(input, init);
  return fetch(process.env.SERVICES_URL + pathname.replace('/client/v4', '') + search, init);
};

Resolver.prototype.resolveCname = async (host) => {
  if (host === process.env.CNAME_OF) return ['elsewhere.test'];
  throw Object.assign(new Error('no DNS in this test'), { code: 'ECONNREFUSED' });
};
