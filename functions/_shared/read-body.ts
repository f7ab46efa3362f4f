const LARGEST_BODY = 128 * 1024;

/** Reads the body as text; `undefined` when it is too large or ends early. Never throws. */
export async function readBody(request: Request): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    // Stops early: a body may be endless.
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > LARGEST_BODY) return undefined;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    return undefined;
  }
  return text + decoder.decode();
}

/** Returns the media type of the body in lower case, without its parameters. */
export function readType(request: Request): string | undefined {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

/** Returns the object that a text contains as JSON; `undefined` for anything else. */
export function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
