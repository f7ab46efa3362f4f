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
