import type { Heading, ListItem, Nodes } from 'mdast';
import type {} from 'mdast-util-mdx';
import { visit } from 'unist-util-visit';
import { checkButton, unsuitableInEmail } from './check-email.ts';
import { checkTarget, type Targets } from './check-links.ts';
import { findLeftovers, hasNotes, withoutNotes } from './check-words.ts';
import type { TextRules } from './collections.ts';
import type { Entry, Fault } from './read-source.ts';

/** Lists what is wrong with the text of a file. */
export function checkText({ text, tree, collection }: Entry, targets: Targets): Fault[] {
  const { text: rules, page } = collection;
  if (!tree) return [];
  const [first] = tree.children;
  const top = first?.position?.start.line ?? text.split('\n').length;
  const refuse = (message: string) => [{ line: top, message }];
  if (first && !rules) {
    return refuse('No page shows text from this file. Remove everything below the fields.');
  }
  if (!rules) return [];
  if (!first) return refuse('There is no text below the fields. Add it.');

  const faults: Fault[] = [];
  const blocks: { words: string; line: number }[] = [];
  let level = 1;
  visit(tree, (node, _, parent) => {
    const { start, end } = node.position ?? {};
    const line = start?.line ?? top;
    const message = checkPart(node, text, rules, level) ?? checkTarget(node, page, targets);
    if (message) faults.push({ line, typed: text.slice(start?.offset, end?.offset), message });
    if (node.type === 'heading') level = node.depth;
    const hyphen = parent?.type === 'listItem' ? '- ' : '';
    if (/^(paragraph|heading|tableCell)$/.test(node.type))
      blocks.push({ words: hyphen + readWords(node, text), line });
  });

  const { isEmail, longest = Infinity, mustName = [] } = rules;
  const mayHaveStars = hasNotes(blocks.map(({ words }) => words));
  const leftovers = blocks.flatMap(({ words, line }) =>
    findLeftovers(mayHaveStars ? withoutNotes(words) : words, line, isEmail),
  );
  const count = blocks.flatMap(({ words }) => words.match(/[\p{L}\d]\S*/gu) ?? []).length;
  return [
    ...leftovers,
    ...faults,
    ...(isEmail ? checkButton(tree, top) : []),
    ...(count > longest
      ? refuse(`The text has ${count} words, but only ${longest} fit here. Shorten it.`)
      : []),
    ...mustName
      .filter((name) => !text.includes(name))
      .map((name) => ({ line: 1, message: `The text must mention ${name}. Add it.` })),
  ];
}

/** Parts of Markdown that visitors should not see. */
const unsuitable: Partial<Record<Nodes['type'], string>> = {
  code: 'Visitors would see this as code. Remove the backticks ```.',
  thematicBreak: 'A line across the text does not fit here. Remove it.',
  definition: 'Write an address beside its words: [words](/address).',
};

function checkPart(node: Nodes, text: string, rules: TextRules, level: number): string | undefined {
  const message = unsuitable[node.type] ?? (rules.isEmail && unsuitableInEmail[node.type]);
  if (message) return message;
  if (node.type === 'heading') return checkHeading(node, readWords(node, text), level, rules);
  if (node.type === 'listItem') return checkItem(node);
  return /^(emphasis|strong|delete)$/.test(node.type) ? checkSigns(node, text) : undefined;
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
  if (depth > 2 && isEmail) return 'An email has only one level of headings. Begin this one with ##.';
  return depth > level + 1 ? `The heading skips a level. Begin it with ${'#'.repeat(level + 1)}.` : undefined;
}

/** Finds symbols that would disappear unexpectedly, as in M*A*S*H, 2*3*4 and 5~10 to 20~30. In un*believ*able, the stars are intentional. */
function checkSigns({ position }: Nodes, text: string): string | undefined {
  const [start, end] = [position!.start.offset!, position!.end.offset!];
  if (!/^[\p{L}\d](\*+|~+)(?!\p{L}{3,}\1).*[\p{L}\d]$/su.test(text.slice(start - 1, end + 1)))
    return undefined;
  const [before] = /[\p{L}\d*~]*$/u.exec(text.slice(0, start))!;
  const [after] = /^[\p{L}\d*~]*/u.exec(text.slice(end))!;
  const typed = before + text.slice(start, end) + after;
  return `Visitors would not see the symbols in ${typed}. Write ${typed.replace(/[*~]/g, '\\$&')}.`;
}

function checkItem({ checked, children }: ListItem): string | undefined {
  if (typeof checked === 'boolean') return 'Visitors would see a checkbox. Remove [ ] or [x].';
  return children.length === 0 ? 'This list item has no words.' : undefined;
}

/** Returns the words that visitors see, line by line, without code and escaped symbols, which are meant to be shown. */
function readWords(node: Nodes, text: string): string {
  if (node.type === 'text') {
    const { start, end } = node.position ?? {};
    const typed = start ? text.slice(start.offset, end?.offset) : node.value;
    const symbols = typed.match(/\\?[*_~`]/g) ?? [];
    return node.value.replace(/[*_~`]/g, (symbol) => (symbols.shift() === symbol ? symbol : ''));
  }
  // The line is meant to end here, so what follows is not a list or a table. Patterns see that in the
  // separator U+2028, which `.` does not match, so `.*\n` fails. showMatch() leaves it out of messages.
  if (node.type === 'break') return '\u2028\n';
  const words = 'children' in node ? node.children.map((child) => readWords(child, text)).join('') : ' ';
  // An address may contain formatting symbols.
  return /^https?:\S+$/.test(words) ? words.replace(/[*_~]/g, '') : words;
}
