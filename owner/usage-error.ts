/** A command that cannot work as it was typed. The project was not called; the exit status is 2. */
export class UsageError extends Error {}
