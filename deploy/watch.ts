import { clearAlarm, raiseAlarm, type Repository } from './alarm.ts';
import { runStep } from './run-step.ts';
import { planProbe } from './steps.ts';
import { makeRedaction, readSurroundings, readValues } from './values.ts';

/** Probes what is live, and has the repository say so when it is not well: visitors are told nothing of failures. */
const values = readValues(process.env);
const repository = readRepository(process.env);
const needed = ['PUBLIC_SITE_URL', 'PUBLIC_SUPABASE_URL', 'SUPABASE_SECRET_KEY'] as const;
const missing = needed.filter((name) => values[name] === undefined);
// A workflow runs from the first push on. Once there is one of them, the others have no reason not to be there.
if (repository && missing.length === needed.length) {
  console.log('Nothing was probed: nothing is live as long as the repository has no secrets.');
  process.exit(0);
}

const redact = makeRedaction(values);
const lines: string[] = [];
const say = (line: string) => {
  lines.push(redact(line));
  console.log(redact(line));
};
if (missing.length > 0) say(`Nothing was probed. Missing: ${missing.join(', ')}.`);
const status = missing.length > 0 ? 1 : await runStep(planProbe(values), readSurroundings(process.env), say);
// Whoever stopped it knows nothing of the site.
if ([129, 130, 143].includes(status)) process.exit(status);
try {
  if (repository && status !== 0)
    await raiseAlarm(repository, values.PUBLIC_SITE_URL ?? 'the site', lines.join('\n'));
  if (repository && status === 0 && (await clearAlarm(repository))) console.log('The alarm is closed.');
} catch (error) {
  console.error(`The alarm could not be set: ${redact((error as Error).message)}`);
  process.exit(1);
}
process.exitCode = status;

/** Elsewhere than in a workflow of GitHub there is nobody to tell but the exit status. */
function readRepository(environment: NodeJS.ProcessEnv): Repository | undefined {
  const { GITHUB_REPOSITORY: name, GITHUB_TOKEN: token, GITHUB_API_URL: apiUrl } = environment;
  if (!name || !token || !apiUrl) return undefined;
  const runUrl = `${environment['GITHUB_SERVER_URL']}/${name}/actions/runs/${environment['GITHUB_RUN_ID']}`;
  return { name, token, apiUrl, runUrl };
}
