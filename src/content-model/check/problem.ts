/** What is wrong at a line of a file, and what to do about it. */
export interface Problem {
  /** Counted from 1. */
  line: number;
  message: string;
  /** Whether it may be intended, so that it does not stop a build. */
  isWarning?: true;
}

/** A problem with the path of its file, relative to the root of the project. */
export type FileProblem = Problem & { file: string };

/** Formats problems, one per line: `file:line  message`. */
export function formatProblems(problems: FileProblem[]): string {
  return problems.map(({ file, line, message }) => `${file}:${line}  ${message}`).join('\n');
}
