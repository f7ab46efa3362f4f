/** The command cannot work as typed. The project was not called, and the exit status is 2. */
export class UsageError extends Error {}
