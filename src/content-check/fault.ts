/** What is wrong at a line of a file, and what to do about it. */
export interface Fault {
  /** Counted from 1. */
  line: number;
  message: string;
}

/** A fault, and the file that has it, from the root of the project. */
export interface Mistake extends Fault {
  file: string;
}
