const LABEL = 'alarm';
// Longer than any in the findings: they may hold what a stranger's server answered.
const FENCE = '~~~~~~~~~~~~';

/** Where the alarm is raised, as GitHub tells its workflows. */
export interface Repository {
  /** `owner/name` */
  name: string;
  apiUrl: string;
  token: string;
  /** The page of the run that found out. */
  runUrl: string;
}

/**
 * Raises the alarm: opens an issue with what was found, or renews the one that is open. Nobody is told of a renewal, so
 * a comment says when something else is wrong than before.
 *
 * @throws Error with what GitHub answered when it refuses.
 */
export async function raiseAlarm(repository: Repository, site: string, findings: string): Promise<void> {
  const found = `${FENCE}\n${findings.replaceAll('~~~~', '')}\n${FENCE}`;
  const issue = {
    title: `Alarm: ${site} is not well`,
    body: `The probe failed: ${repository.runUrl}\n\n${found}\n\nThis issue is renewed by each failure and closed by the first probe that finds all well.`,
  };
  const open = await findAlarm(repository);
  if (open === undefined) {
    await ask(repository, 'POST', '/issues', { ...issue, labels: [LABEL] });
    return;
  }
  await ask(repository, 'PATCH', `/issues/${open.number}`, issue);
  if (listFailures(open.body ?? '') === listFailures(issue.body)) return;
  await ask(repository, 'POST', `/issues/${open.number}/comments`, {
    body: `Something else is wrong now: ${repository.runUrl}\n\n${found}`,
  });
}

/**
 * Closes the open alarm, if there is one; tells whether.
 *
 * @throws Error with what GitHub answered when it refuses.
 */
export async function clearAlarm(repository: Repository): Promise<boolean> {
  const open = await findAlarm(repository);
  if (open === undefined) return false;
  await ask(repository, 'POST', `/issues/${open.number}/comments`, {
    body: `All is well again: ${repository.runUrl}`,
  });
  await ask(repository, 'PATCH', `/issues/${open.number}`, { state: 'closed', state_reason: 'completed' });
  return true;
}

interface Issue {
  number: number;
  body: string | null;
  pull_request?: object;
}

async function findAlarm(repository: Repository): Promise<Issue | undefined> {
  const issues = await ask(
    repository,
    'GET',
    `/issues?labels=${LABEL}&state=open&sort=created&direction=asc`,
  );
  return (issues as Issue[]).find((issue) => !issue.pull_request);
}

/** What is wrong, by name alone: what is said of it may hold numbers and addresses that are others each time. */
function listFailures(body: string): string {
  const names = body.split(FENCE)[1]?.matchAll(/^(?!ok\b).{1,21}/gm) ?? [];
  return [...names].map(([name]) => name.trimEnd()).join('\n');
}

async function ask(
  { name, apiUrl, token }: Repository,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${apiUrl}/repos/${name}${path}`, {
    method,
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${token}`,
      'X-GitHub-Api-Version': '2022-11-28',
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${method} ${path}.`);
  return response.json();
}
