/**
 * Reads who calls, from the one header that the platform sets: an IPv4 address, with or without a port, or the /48 of an IPv6
 * address, because the owner of one /64 usually has many. `undefined` when the header contains no IP address. Never throws.
 */
export function readCaller(headers: Headers, header: string | undefined): string | undefined {
  const value = header && headers.get(header);
  if (!value) return undefined;
  // In a list, each proxy appends the address it saw; the caller can invent everything further left.
  const last = value.split(',').at(-1)!.trim();
  const ip = last
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (isIpv4(ip)) return ip;
  const groups = readIpv6(ip);
  if (groups === undefined) return undefined;
  return readMappedIpv4(groups) ?? `${groups.slice(0, 3).join(':')}::/48`;
}

function isIpv4(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split('.').every((octet) => Number(octet) <= 255);
}

/** Returns the eight groups of an IPv6 address, in lower case and without leading zeros. */
function readIpv6(text: string): string[] | undefined {
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]`)) return undefined;
  // The URL parser validates the address and gives all of its spellings the same form.
  const { hostname } = new URL(`http://[${text}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

/** A socket that takes both protocols shows `1.2.3.4` as `::ffff:1.2.3.4` (RFC 4291, section 2.5.5.2). */
function readMappedIpv4(groups: string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  return groups
    .slice(6)
    .map((group) => parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.');
}
