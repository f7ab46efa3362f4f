/** A call that failed, as the client of the data API tells it. Status 0 stands for no answer at all. */
interface Failure {
  url: string;
  procedure: string;
  status: number;
  error: { message: string; code: string; details: string | null };
}

/** Makes one line of a failed call: what is wrong, and what to do. */
export function explainFailure({ url, procedure, status, error }: Failure): Error {
  if (error.message.startsWith('TimeoutError')) {
    return new Error(`${url} did not answer in time. Try again, or look whether the project is paused.`);
  }
  if (status === 0) return explainSilence(url, error.details ?? '');
  if (status === 401 || status === 403) {
    return new Error(
      `${url} refuses the key. Set SUPABASE_SECRET_KEY to the secret key of this project (sb_secret_…), not to its publishable key.`,
    );
  }
  // Not known to the data API, or not known to the database.
  if (error.code === 'PGRST202' || error.code === '42883') {
    return new Error(
      `The database at ${url} has no ${procedure}: a migration is missing. Run npm run deploy, or start the local stack again.`,
    );
  }
  if (!error.code)
    return new Error(`${url} answered ${status}. Check whether SUPABASE_URL is that of a Supabase project.`);
  return new Error(`${url} answered ${procedure} with ${status}: ${firstLine(error.message)}`);
}

function explainSilence(url: string, details: string): Error {
  const reason = /\(([A-Z][A-Z_]+)\)/.exec(details)?.[1];
  return reason
    ? new Error(
        `${url} cannot be reached (${reason}). Check SUPABASE_URL and the network, or start the local stack again.`,
      )
    : new Error(`${url} does not answer like a Supabase project. Check SUPABASE_URL.`);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.slice(0, 200);
}
