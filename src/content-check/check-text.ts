import { createProcessor } from '@mdx-js/mdx';
import type { Heading, ListItem, Nodes, Root } from 'mdast';
import type {} from 'mdast-util-mdx';
import remarkGfm from 'remark-gfm';
import { visit } from 'unist-util-visit';
import { contentSyntax, fillText } from '../content-syntax.ts';
import { checkButton, unsuitableInEmail } from './check-email.ts';
import { findLeftovers, hasNotes, withoutNotes } from './check-words.ts';
import type { TextRules } from './collections.ts';
import { checkNodes, type Fault } from './fault.ts';

/** A part of a text that contains words, as visitors see them. */
interface Block {
  node: Nodes;
  words: string;
  line: number;
}

const processor = createProcessor({ remarkPlugins: [remarkGfm, contentSyntax] });

/**
 * Parses the text below the fields as the build does, and lists its faults.
 *
 * @param text The text, with empty lines before it so that its line numbers are those of the file.
 */
export function checkText(text: string, rules: TextRules | undefined): { tree?: Root; faults: Fault[] } {
  const top = text.slice(0, text.search(/\S|$/)).split('\n').length;
  const refuse = (message: string) => ({ faults: [{ line: top, message }] });
  if (!rules) {
    if (!text.trim()) return { faults: [] };
    return refuse('No page shows text from this file. Remove everything below the fields.');
  }
  if (!text.trim()) return refuse('There is no text below the fields. Write one.');
  const tree = processor.parse(text) as Root;
  fillText(tree);
  const blocks = listBlocks(tree);
  const mayHaveStars = hasNotes(blocks.map(({ words }) => words));
  const faults = [
    ...blocks.flatMap(({ words, line }) =>
      findLeftovers(mayHaveStars ? withoutNotes(words) : words, line, !rules.isEmail),
    ),
    ...checkHeadings(blocks, rules),
    ...checkNodes(tree, text, (node) => checkPart(node, text, rules)),
    ...(rules.isEmail ? checkButton(tree, top) : []),
    ...checkLength(blocks, top, rules),
    ...findUnnamed(text, rules),
  ];
  return { tree, faults };
}

function listBlocks(tree: Root): Block[] {
  const blocks: Block[] = [];
  visit(tree, (node, _, parent) => {
    if (!['paragraph', 'heading', 'tableCell'].includes(node.type)) return;
    const hyphen = parent?.type === 'listItem' ? '- ' : '';
    blocks.push({ node, words: hyphen + readWords(node), line: node.position?.start.line ?? 1 });
  });
  return blocks;
}

/** Returns the words that visitors see, line by line, without code, because code is meant to be shown. */
function readWords(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (node.type === 'break') return '\n';
  const words = 'children' in node ? node.children.map(readWords).join('') : ' ';
  // An address may contain signs of formatting.
  return /^https?:\S+$/.test(words) ? words.replace(/[*_~]/g, '') : words;
}

function checkHeadings(blocks: Block[], rules: TextRules): Fault[] {
  let level = 1;
  return blocks.flatMap(({ node, words, line }) => {
    if (node.type !== 'heading') return [];
    const message = checkHeading(node, words, level, rules);
    level = node.depth;
    return message ? [{ line, message }] : [];
  });
}

function checkHeading(
  { depth, position }: Heading,
  words: string,
  level: number,
  { hasHeadings, isEmail }: TextRules,
): string | undefined {
  const title = words.split('\n').at(-1);
  if (!words.trim()) return 'The heading has no words. A contact or a picture alone is not enough.';
  if (!hasHeadings) {
    return `"${title}" is a heading, and this text is too short for one. Make it **bold** instead.`;
  }
  if (position?.start.line !== position?.end.line) {
    return `The line below "${title}" makes a heading of it. Put an empty line between them, or begin the heading with ##.`;
  }
  if (depth === 1) return 'The page already has a title. A heading in a text begins with ##.';
  if (depth > 2 && isEmail) return 'An email has one level of headings. Begin it with ##.';
  return depth > level + 1 ? `The heading skips a level. Begin it with ${'#'.repeat(level + 1)}.` : undefined;
}

/** Parts of Markdown that visitors should not see. */
const unsuitable: Partial<Record<Nodes['type'], string>> = {
  code: 'Visitors would see this as code. Remove the backticks ```.',
  definition: 'Write an address beside its words: [words](/address).',
};

function checkPart(node: Nodes, text: string, { isEmail }: TextRules): string | undefined {
  const message = unsuitable[node.type] ?? (isEmail && unsuitableInEmail[node.type]);
  if (message) return message;
  if (node.type === 'listItem') return checkItem(node);
  return /^(emphasis|strong|delete)$/.test(node.type) ? checkSigns(node, text) : undefined;
}

/** Finds signs that disappear by surprise, as in M*A*S*H, 2*3*4 and 5~10 to 20~30. In un*believ*able they are meant. */
function checkSigns({ position }: Nodes, text: string): string | undefined {
  const [start, end] = [position!.start.offset!, position!.end.offset!];
  if (!/^[\p{L}\d](\*+|~+)(?!\p{L}{3,}\1).*[\p{L}\d]$/su.test(text.slice(start - 1, end + 1)))
    return undefined;
  const [before] = /[\p{L}\d*~]*$/u.exec(text.slice(0, start))!;
  const [after] = /^[\p{L}\d*~]*/u.exec(text.slice(end))!;
  const typed = before + text.slice(start, end) + after;
  return `Visitors would not see the signs in ${typed}. Write ${typed.replace(/[*~]/g, '\\$&')}.`;
}

function checkItem({ checked, children }: ListItem): string | undefined {
  if (typeof checked === 'boolean') return 'Visitors would see a box to tick. Remove [ ] or [x].';
  return children.length === 0 ? 'This line of a list has no words.' : undefined;
}

function checkLength(blocks: Block[], line: number, { longest = Infinity }: TextRules): Fault[] {
  const count = blocks.flatMap(({ words }) => words.match(/[\p{L}\d]\S*/gu) ?? []).length;
  if (count <= longest) return [];
  return [{ line, message: `The text has ${count} words, and ${longest} fit here. Shorten it.` }];
}

/** Lists the words that the law or the product requires in a text and that are missing. */
function findUnnamed(text: string, { mustName = [] }: TextRules): Fault[] {
  return mustName
    .filter((name) => !text.includes(name))
    .map((name) => ({ line: 1, message: `The text must mention ${name}. Add it.` }));
}
