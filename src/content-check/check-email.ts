import type { Link, Nodes, Root } from 'mdast';
import type { MdxJsxTextElement } from 'mdast-util-mdx';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { wrappingComponent } from '../content-syntax.ts';
import type { Fault } from './fault.ts';

const longestButton = 30; // characters

/** What a web page can show and an email cannot. */
const unsuitable: Partial<Record<Nodes['type'], string>> = {
  image: 'An email has no pictures, because many mail programs hide them. Remove it.',
  table: 'An email has no tables, because they do not fit on a phone. Write a list.',
  blockquote: 'An email has no quotes. Remove the > at the beginning of the line.',
  thematicBreak: 'An email has no lines between paragraphs. Remove it, or write a heading.',
  inlineCode: 'An email has no code. Remove the backticks `.',
  delete: 'An email has no words that are crossed out. Remove them.',
  linkReference: 'Write the address of a link after its words: [words](/address).',
  footnoteReference: 'An email has no footnotes. Write the words into the text.',
};

/** The button of a message: a link that is alone in its paragraph. */
interface Button {
  link: Link | MdxJsxTextElement;
  label: string;
}

/** Returns the button that a part of a message becomes, if it becomes one. */
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
 * Lists what an email cannot contain, and the buttons beyond the one that it needs.
 *
 * @param line The line where the text begins.
 */
export function findEmailFaults(tree: Root, line: number): Fault[] {
  const faults: Fault[] = [];
  const refuse = (node: Nodes, message: string) =>
    void faults.push({ line: node.position?.start.line ?? line, message });
  visit(tree, (node) => {
    const message = unsuitable[node.type];
    if (message) refuse(node, message);
  });
  const [button, ...others] = tree.children.filter(readButton);
  if (!button) {
    const message =
      'The message has no button. Put its main link into a paragraph of its own: [words](/address).';
    return [...faults, { line, message }];
  }
  const first = button.position?.start.line;
  for (const other of others) {
    refuse(
      other,
      `A link in a paragraph of its own is a button, and line ${first} has one already. Add words around this one, or remove it.`,
    );
  }
  const { label = '', link } = readButton(button) ?? {};
  if (
    link?.type === 'link' &&
    link.url.replace(/^(mailto:|https?:\/\/)/, '') === label.replace(/^https?:\/\//, '')
  ) {
    refuse(button, `The button shows its address. Write [words](${link.url}).`);
  } else if (label.length > longestButton) {
    refuse(
      button,
      `The button is longer than ${longestButton} characters (it has ${label.length}). Shorten it.`,
    );
  }
  return faults;
}
