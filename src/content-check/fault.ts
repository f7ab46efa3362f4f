/** What is wrong at a line of a file, and what to do about it. */
export interface Fault {
  /** Counted from 1. */
  line: number;
  /** The wrong part, as typed. */
  typed?: string;
  message: string;
}

/** A fault with the path of its file, relative to the root of the project. */
export interface Mistake extends Fault {
  file: string;
}
