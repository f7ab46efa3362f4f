const LONGEST_ADDRESS = 254; // RFC 5321, 4.5.3.1.3: a path of 256 octets, minus its two angle brackets
const LONGEST_LOCAL_PART = 64; // RFC 5321, 4.5.3.1.1

const ASCII = /^[\x21-\x7e]+$/;
const DOT_ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * Reads what somebody typed as one email address. Returns it trimmed and in lower case, or `undefined` for anything
 * that is not exactly one address with a public domain. The database has the same rule (`private.is_email_address`).
 */
export function parseEmailAddress(typed: unknown): string | undefined {
  if (typeof typed !== 'string') return undefined;
  if (typed.length > 2 * LONGEST_ADDRESS) return undefined;
  const trimmed = typed.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '');
  // Before lower case: the Kelvin sign is not ASCII, and its lower case is the ASCII letter "k".
  if (trimmed.length > LONGEST_ADDRESS || !ASCII.test(trimmed)) return undefined;
  const email = trimmed.toLowerCase();
  const at = email.lastIndexOf('@');
  const localPart = email.slice(0, at);
  const isEmail =
    at > 0 &&
    localPart.length <= LONGEST_LOCAL_PART &&
    DOT_ATOM.test(localPart) &&
    DOMAIN.test(email.slice(at + 1));
  return isEmail ? email : undefined;
}

/** Returns whether a text is an email address, alone or as `Name <name@example.com>`. */
export function isSender(text: string): boolean {
  const email = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return parseEmailAddress(email) !== undefined;
}
