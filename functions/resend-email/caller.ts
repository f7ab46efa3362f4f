/**
 * Reads who calls, from the one header that the platform sets: an IPv4 address, or the /64 of an IPv6 address, which
 * is what one household or server gets. `undefined` without the header.
 */
export function readCaller(headers: Headers, header: string | undefined): string | undefined {
  const value = header && headers.get(header);
  if (!value) return undefined;
  // In a list each proxy adds what it saw at the end; what stands further left may be made up by the caller.
  const address = value
    .split(',')
    .at(-1)!
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '');
  const embedded = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/.exec(address)?.[1];
  if (embedded) return embedded;
  return address.includes(':') ? `${expandIpv6(address).slice(0, 4).join(':')}::/64` : address;
}

/** Reads the mailbox behind an address: providers deliver `n.a.me+tag@…` to `name@…`. For limits, not for identity. */
export function readMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  // Resend's test addresses are nobody's mailbox. As one they would share a limit, and a stranger could use it up for
  // every probe; whoever calls with them is limited like any caller.
  if (address.slice(at) === '@resend.dev') return address;
  const name = address.slice(0, at).replace(/\+.*$/, '').replaceAll('.', '');
  return `${name}${address.slice(at)}`;
}

function expandIpv6(address: string): string[] {
  const [left = '', right] = address.split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const head = groups(left);
  const tail = right === undefined ? [] : groups(right);
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].map((group) => group.replace(/^0+(?=.)/, ''));
}
