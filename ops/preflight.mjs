// Runs before our programs. It is plain JavaScript, because an older Node cannot run TypeScript.
import { existsSync } from 'node:fs';

const [major] = process.versions.node.split('.');
// npm writes this file last.
if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url)))
  stop('The packages of this project are not installed. Run npm ci.');
if (Number(major) < 24)
  stop(`This is Node ${major}. Install Node 24: on Linux with npm ci, on macOS from nodejs.org.`);

function stop(message) {
  console.error(message);
  process.exit(1);
}
