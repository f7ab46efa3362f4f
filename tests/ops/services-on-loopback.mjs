// Loaded before a program under test. Redirects its calls from the hosted services and the live site to the stand-ins.
const services = /(^|\.)(supabase\.com?|resend\.com|cloudflare\.com|stash\.test)$/;
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const { hostname, pathname, search } = new URL(input instanceof Request ? input.url : input);
  if (!services.test(hostname)) return fetch(input, init);
  return fetch(process.env.SERVICES_URL + pathname.replace('/client/v4', '') + search, init);
};
