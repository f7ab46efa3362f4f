import { pipeline } from 'node:stream/promises';

/** Writes texts to the standard output, and asks for the next only when its reader took the one before. */
export async function print(texts: AsyncIterable<string>): Promise<void> {
  await pipeline(texts, process.stdout, { end: false });
}

/** Prints one value as JSON. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}
