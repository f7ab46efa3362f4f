const LONGEST_ADDRESS = 254; // RFC 5321, 4.5.3.1.3: a path of 256 octets, minus its two angle brackets
const LONGEST_LOCAL_PART = 64; // RFC 5321, 4.5.3.1.1

// Escaped for the pattern of a field, too.
const DOT_ATOM = /^[a-z0-9&!#$%'*+\/=?^_`\{\|\}~\-]+(\.[a-z0-9&!#$%'*+\/=?^_`\{\|\}~\-]+)*$/v;
const DOMAIN = /^([a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9\-]{0,58}[a-z0-9])$/v;

/**
 * Reads what somebody typed as one email address. Returns it trimmed and in lower case, or `undefined` for anything
 * that is not exactly one address with a public domain. The database has the same rule (`private.is_email_address`).
 */
export function parseEmailAddress(typed: unknown): string | undefined {
  if (typeof typed !== 'string') return undefined;
  if (typed.length > 2 * LONGEST_ADDRESS) return undefined;
  const trimmed = normalizeAddress(typed);
  // Before lower case: the Kelvin sign is not ASCII, and its lower case is the ASCII letter "k".
  if (trimmed.length > LONGEST_ADDRESS || !isAscii(trimmed)) return undefined;
  const email = trimmed.toLowerCase();
  const at = email.lastIndexOf('@');
  if (at < 1 || at > LONGEST_LOCAL_PART) return undefined;
  return DOT_ATOM.test(email.slice(0, at)) && DOMAIN.test(email.slice(at + 1)) ? email : undefined;
}

/**
 * Returns the same rule as the `pattern` of a field. It accepts any international domain, because only some browsers
 * convert the domain before they check it, but no invisible or full-width character in it. Firefox does not trim the address first.
 */
export function writePattern(): string {
  const local = DOT_ATOM.source.slice(1, -1).replaceAll('a-z', 'a-zA-Z');
  const domain = DOMAIN.source.slice(1, -1).replaceAll('a-z', String.raw`a-zA-Z\x80-\uff00\uff5f-\u{10ffff}`);
  return `\\s*(?=.{1,${LONGEST_LOCAL_PART}}@)(?=.{1,${LONGEST_ADDRESS}}\\s*$)(?!.*\\p{Cf}\\P{Cf})${local}@${domain}\\s*`;
}

/**
 * Returns an email address without the spaces and invisible characters around it, such as direction marks that were copied with it,
 * and with its international domain in ASCII if it can be converted.
 *
 * Chromium converts the domain while a visitor types, Firefox sends it as typed (https://github.com/whatwg/html/issues/4562).
 * The URL parser converts, but it also drops invisible characters, takes ports and paths for itself, and maps letters to
 * dots, digits and other letters. So each label must come back on its own: unchanged if it was ASCII, otherwise as `xn--…`.
 */
export function normalizeAddress(raw: string): string {
  const text = raw.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
  const at = text.lastIndexOf('@') + 1;
  const typed = text.slice(at);
  if (isAscii(typed) || /[\s\p{C}]/u.test(typed) || !URL.canParse(`http://${typed}`)) return text;
  const domain = new URL(`http://${typed}`).hostname;
  const labels = domain.split('.');
  const isSame = typed.split('.').every((label, index) => {
    if (isAscii(label)) return labels[index] === label.toLowerCase();
    return labels[index]?.startsWith('xn--') && !/^-|-$/.test(label);
  });
  return isSame && labels.length === typed.split('.').length ? text.slice(0, at) + domain : text;
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** Matches `Name <name@example.com>`. */
const NAMED = /^([^<>\r\n]*)<([^<>]+)>$/;

/** Returns whether a text is one email address as it stands, without spaces or invisible characters. */
export function isEmail(text: string): boolean {
  return parseEmailAddress(text) !== undefined && !/[\s\p{Cf}]/u.test(text);
}

/** Returns whether a text is an email address, alone or as `Name <name@example.com>`. */
export function isSender(text: string): boolean {
  return isEmail(NAMED.exec(text)?.[2] ?? text);
}

/**
 * Quotes the name of a sender if it contains a character that means something in a list of addresses (RFC 5322), so that a
 * provider reads `Yard, Inc. <name@example.com>` as one sender. Returns any other sender unchanged.
 */
export function quoteName(sender: string): string {
  const [, typed = '', email = ''] = NAMED.exec(sender) ?? [];
  const name = typed.trim().replace(/^"(.*)"$/, '$1');
  return /[()[\]:;@\\,."]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}" <${email}>` : sender;
}
