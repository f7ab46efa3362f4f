import type { Link, Nodes, Root } from 'mdast';
import type { MdxJsxTextElement } from 'mdast-util-mdx';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { wrappingComponent } from '../content-syntax.ts';
import type { Fault } from './fault.ts';

const longestButton = 30; // characters

/** Elements that a web page can show and an email cannot. */
export const unsuitableInEmail: Partial<Record<Nodes['type'], string>> = {
  image: 'An email cannot have pictures, because many mail programs hide them. Remove it.',
  table: 'An email cannot have tables, because they do not fit on a phone. Write a list.',
  blockquote: 'An email cannot have quotes. Remove the > at the beginning of the line.',
  thematicBreak: 'An email cannot have lines between paragraphs. Remove it, or write a heading.',
  inlineCode: 'An email cannot show code. Remove the backticks `.',
  delete: 'An email cannot have crossed-out words. Remove them.',
  footnoteReference: 'An email cannot have footnotes. Write the words into the text.',
};

/** The button of a message: a link that is alone in its paragraph. */
interface Button {
  link: Link | MdxJsxTextElement;
  label: string;
}

/** Returns the button if this part of a message becomes one. */
export function readButton(node: Nodes): Button | undefined {
  if (node.type !== 'paragraph') return undefined;
  const links: Button['link'][] = [];
  visit(node, (part) => {
    if (part.type === 'link') links.push(part);
    if (part.type === 'mdxJsxTextElement' && part.name === wrappingComponent) links.push(part);
  });
  const [link] = links;
  const label = toString(link).trim();
  return link && toString(node).trim() === label ? { link, label } : undefined;
}

/**
 * Lists what is wrong with the button of an email, which must have exactly one.
 *
 * @param top The line where the text begins.
 */
export function checkButton(tree: Root, top: number): Fault[] {
  const [first, ...others] = tree.children.flatMap((node) => {
    const button = readButton(node);
    return button ? [{ label: button.label, line: node.position?.start.line ?? top }] : [];
  });
  if (!first) {
    const message = 'The message has no button. Put its main link into its own paragraph: [words](/address).';
    return [{ line: top, message }];
  }
  const { line, label } = first;
  const faults = others.map((other) => ({
    line: other.line,
    message: `A link that is alone in its paragraph is a button, and line ${line} already has one. Add words around this one, or remove it.`,
  }));
  if (/^(https?:\/\/|www\.)|^\S+@\S+$/.test(label)) {
    faults.push({ line, message: 'The button shows its address. Write [words](/address).' });
  } else if (label.length > longestButton) {
    const message = `The button is longer than ${longestButton} characters (it has ${label.length}). Shorten it.`;
    faults.push({ line, message });
  }
  return faults;
}
