/** A mistake in what the user typed. Nothing was sent to the project, and the exit status is 2. */
export class UsageError extends Error {}
