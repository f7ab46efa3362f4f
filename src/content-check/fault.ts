import type { Nodes, Root } from 'mdast';
import { visit } from 'unist-util-visit';

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

/**
 * Lists what is wrong with the nodes of a text.
 *
 * @param explain Returns the message for a node; `undefined` when it is right.
 */
export function checkNodes(tree: Root, text: string, explain: (node: Nodes) => string | undefined): Fault[] {
  const faults: Fault[] = [];
  visit(tree, (node) => {
    const message = explain(node);
    const { start, end } = node.position ?? {};
    const typed = text.slice(start?.offset, end?.offset);
    if (message) faults.push({ line: start?.line ?? 1, typed, message });
  });
  return faults;
}
