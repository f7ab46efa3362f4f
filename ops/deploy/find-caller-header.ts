import { setTimeout as delay } from 'node:timers/promises';
import { findTrusted, judgeLiveHeaders } from '../probe/caller-header.ts';
import { setSecrets, unsetSecrets } from './function-secrets.ts';

const PATIENCE = 60_000; // milliseconds until functions that were just deployed must answer
const PAUSE = 1_000; // milliseconds between two attempts

/** Finds the header in which the platform shows the functions the caller's IP address, and sets it for them. */
const [projectRef = ''] = process.argv.slice(2);
const { PUBLIC_SUPABASE_URL: apiUrl = '', SUPABASE_SECRET_KEY: secretKey = '' } = process.env;
const target = { apiUrl, secretKey, isLocal: false };

let judgment: Awaited<ReturnType<typeof judgeLiveHeaders>> | undefined;
let problem = '';
for (const end = Date.now() + PATIENCE; judgment === undefined && Date.now() < end;) {
  try {
    judgment = await judgeLiveHeaders(target, () => AbortSignal.timeout(10_000));
  } catch (error) {
    problem = (error as Error).message;
    await delay(PAUSE);
  }
}
if (judgment === undefined) {
  console.error(`The email function does not say who is calling: ${problem}.`);
  process.exit(1);
}

const { header, verdicts } = judgment;
const seen = Object.entries(verdicts).map(([name, verdict]) => `${name} (${verdict})`);
console.log(`Headers with an IP address: ${seen.join(', ') || 'none'}.`);
// A header that still works stays, because another one may be there only today.
const trusted = header && verdicts[header] === 'trusted' ? header : findTrusted(verdicts);
const todo = 'Callers are not limited. See docs/deploy.md, “When no caller header is found”.';
if (trusted) {
  setSecrets(projectRef, { CALLER_HEADER: trusted });
  console.log(
    `CALLER_HEADER is ${trusted}: it shows this machine's address, and forged calls did not change it.`,
  );
} else if (header && verdicts[header] === 'unproven') {
  console.log(
    `LOOK  CALLER_HEADER stays ${header}. This machine's address is unknown, so it could not be compared.`,
  );
} else {
  unsetSecrets(projectRef, ['CALLER_HEADER']);
  console.log(`LOOK  No header can be trusted. ${todo}`);
}
