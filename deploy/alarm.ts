const LABEL = 'alarm';

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
 * Raises the alarm: opens an issue with what was found, or renews the one that is open.
 *
 * @throws Error with what GitHub answered when it refuses.
 */
export async function raiseAlarm(repository: Repository, site: string, findings: string): Promise<void> {
  const issue = {
    title: `Alarm: ${site} is not well`,
    // A fence longer than any in the findings: they may hold what a stranger's server answered.
    body: `The probe failed: ${repository.runUrl}\n\n~~~~~~~~~~~~\n${findings.replaceAll('~~~~', '')}\n~~~~~~~~~~~~\n\nThis issue is renewed by each failure and closed by the first probe that finds all well.`,
  };
  const open = await findAlarm(repository);
  if (open === undefined) await ask(repository, 'POST', '/issues', { ...issue, labels: [LABEL] });
  else await ask(repository, 'PATCH', `/issues/${open}`, issue);
}

/**
 * Closes the open alarm, if there is one; tells whether.
 *
 * @throws Error with what GitHub answered when it refuses.
 */
export async function clearAlarm(repository: Repository): Promise<boolean> {
  const open = await findAlarm(repository);
  if (open === undefined) return false;
  await ask(repository, 'POST', `/issues/${open}/comments`, {
    body: `All is well again: ${repository.runUrl}`,
  });
  await ask(repository, 'PATCH', `/issues/${open}`, { state: 'closed', state_reason: 'completed' });
  return true;
}

async function findAlarm(repository: Repository): Promise<number | undefined> {
  const issues = await ask(
    repository,
    'GET',
    `/issues?labels=${LABEL}&state=open&sort=created&direction=asc`,
  );
  return (issues as { number: number; pull_request?: object }[]).find((issue) => !issue.pull_request)?.number;
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
