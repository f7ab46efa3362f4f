import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../values.ts';
import { drawings, hashDrawing, recordFile } from './drawings.ts';

/** Makes the files that the site only copies. They are committed, so that a build needs neither a browser nor a font engine. */
const record: Record<string, string> = {};
for (const { file, inputs, draw } of drawings) {
  const data = await draw();
  writeFileSync(resolve(root, file), data);
  record[file] = hashDrawing(inputs, data);
  console.log(`${file}: ${data.length.toLocaleString('en')} bytes`);
}
writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
