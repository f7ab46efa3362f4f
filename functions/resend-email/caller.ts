import { isIPv4, isIPv6 } from 'node:net';

/**
 * Reads who calls, from the one header that the platform sets: an IPv4 address, with or without a port, or the /48 of an IPv6
 * address, because the owner of one /64 usually has many. `undefined` when the header contains no IP address. Never throws.
 * The name of the header is CALLER_HEADER, which a deployment finds (ops/probe/caller-header.ts).
 */
export function readCaller(headers: Headers, header: string | undefined): string | undefined {
  const value = header && headers.get(header);
  if (!value) return undefined;
  // In a list, each proxy appends the address it saw; the caller can invent everything further left.
  const last = value.split(',').at(-1)!.trim();
  const ip = last
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
    // A socket that takes both protocols shows `1.2.3.4` as `::ffff:1.2.3.4` (RFC 4291, section 2.5.5.2).
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIPv4(ip)) return ip;
  if (!isIPv6(ip)) return undefined;
  // The URL parser gives all spellings of an address the same form, in which `::` stands for the most zeros.
  const [head = ''] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const groups = [...head.split(':').filter(Boolean), '0', '0', '0'];
  return `${groups.slice(0, 3).join(':')}::/48`;
}
