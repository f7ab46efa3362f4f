const TOLERANCE = 5 * 60; // seconds that the two clocks may differ

/**
 * Returns whether a webhook call was signed with the secret (`whsec_` and a key in base 64) within five minutes of now.
 * https://docs.svix.com/receiving/verifying-payloads/how-manual describes the scheme. Never throws.
 */
export async function isSigned(
  headers: Headers,
  body: string,
  secret: string,
  now: number = Date.now(),
): Promise<boolean> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`svix-${name}`) ?? '',
  ) as [string, string, string];
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE) return false;
  const key = await readKey(secret).catch(() => undefined);
  if (key === undefined) return false;
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  // A call has several signatures while the secret is being changed, and versions after v1 may follow.
  for (const signature of signatures.split(' ')) {
    const [, code] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature) ?? [];
    // WebCrypto compares in constant time.
    if (code && (await crypto.subtle.verify('HMAC', key, decode(code), content))) return true;
  }
  return false;
}

async function readKey(secret: string): Promise<CryptoKey> {
  const key = decode(secret.replace(/^whsec_/, ''));
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
