import type { Nodes, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { isLink, type LinkNode } from './check-links.ts';
import type { Fault } from './read-source.ts';

const longestButton = 30; // characters

/** Elements that a web page can show and an email cannot. */
export const unsuitableInEmail: Partial<Record<Nodes['type'], string>> = {
  image: 'An email cannot have pictures, because many mail programs hide them. Remove it.',
  table: 'An email cannot have tables, because they do not fit on a phone. Write a list.',
  blockquote: 'An email cannot have quotes. Remove the > at the beginning of the line.',
  inlineCode: 'An email cannot show code. Remove the backticks `.',
  delete: 'An email cannot have crossed-out words. Remove them.',
  footnoteReference: 'An email cannot have footnotes. Write the words into the text.',
};

/** Returns the link that becomes the button of a message: one that is alone in its paragraph. */
export function readButton(node: Nodes): LinkNode | undefined {
  let part: Nodes = node;
  if (part.type !== 'paragraph') return undefined;
  // It may be bold.
  while (!isLink(part) && 'children' in part && part.children.length === 1) part = part.children[0]!;
  return isLink(part) ? part : undefined;
}

/** Lists what is wrong with the button of an email, whose text begins at the line `top`. It must have exactly one. */
export function checkButton(tree: Root, top: number): Fault[] {
  const [button, ...others] = tree.children.flatMap((node) => readButton(node) ?? []);
  if (!button) {
    const message = 'The message has no button. Put its main link into its own paragraph: [words](/address).';
    return [{ line: top, message }];
  }
  const lineOf = ({ position }: LinkNode) => position?.start.line ?? top;
  const line = lineOf(button);
  const faults = others.map((other) => ({
    line: lineOf(other),
    message: `A link that is alone in its paragraph is a button, and line ${line} already has one. Add words around this one, or remove it.`,
  }));
  const label = toString(button).trim();
  if (/^(https?:\/\/|www\.)|^\S+@\S+$/.test(label)) {
    faults.push({ line, message: 'The button shows its address. Write [words](/address).' });
  } else if (label.length > longestButton) {
    const message = `The button is longer than ${longestButton} characters (it has ${label.length}). Shorten it.`;
    faults.push({ line, message });
  }
  return faults;
}
