/** A command that was called in a way that cannot work: nothing was asked of the project. */
export class UsageError extends Error {}
