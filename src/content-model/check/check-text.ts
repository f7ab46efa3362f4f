import type { Heading, Nodes, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import type { TextRules } from '../collections.ts';
import { readButton } from '../syntax.ts';
import { checkTarget, type Targets } from './check-links.ts';
import { checkMarkup } from './check-markup.ts';
import type { Problem } from './problem.ts';
import type { Entry } from './read-source.ts';

const longestButton = 30; // characters

/** Parts of Markdown that a text must not contain. */
const unsuitable: Partial<Record<Nodes['type'], string>> = {
  code: 'Visitors would see this as code. Remove the backticks ```.',
  thematicBreak: 'A line across the text does not fit here. Remove it.',
  definition: 'Write an address beside its words: [words](/address).',
  footnoteReference: 'A footnote does not fit here. Write its words into the text.',
};

const joined =
  'Visitors would see this line as a part of the list, quote or table above it. Put an empty line between them, or a space after its hyphen.';

/** Lists what is wrong with the text of a file. */
export function checkText({ text, tree, collection }: Entry, targets: Targets): Problem[] {
  const { text: rules, page } = collection;
  if (!tree) return [];
  const [first] = tree.children;
  const top = first?.position?.start.line ?? text.split('\n').length;
  const refuse = (message: string, line = top) => [{ line, message }];
  if (!rules)
    return first ? refuse('No page shows text from this file. Remove everything below the fields.') : [];
  if (!first) return refuse('There is no text below the fields. Add it.');

  const { isEmail, longest = Infinity, mustName = [] } = rules;
  const problems = isEmail ? checkButton(tree, top) : [];
  let count = 0;
  let level = 1;
  visit(tree, (node, _, parent) => {
    const { start, end } = node.position ?? {};
    const line = start?.line ?? top;
    const typed = text.slice(start?.offset, end?.offset);
    const message = checkPart(node, rules, level, typed) ?? checkTarget(node, page, targets);
    if (message) problems.push({ line, message });
    const isJoined = node.type === 'paragraph' && parent !== tree && /\n[^\s>]/.test(typed);
    if (isJoined || (node.type === 'tableRow' && !typed.includes('|')))
      problems.push({ line: line + Number(isJoined), message: joined, isWarning: true });
    if (node.type === 'heading') level = node.depth;
    if (node.type !== 'paragraph' && node.type !== 'heading' && node.type !== 'tableCell') return;
    const words = readWords(node, text);
    problems.push(...checkMarkup(words, line, false, isEmail));
    count += words.match(/[\p{L}\d]\S*/gu)?.length ?? 0;
  });

  if (count > longest)
    problems.push(...refuse(`The text has ${count} words, but only ${longest} fit here. Shorten it.`));
  const missing = mustName.filter((name) => !text.includes(name));
  if (missing.length > 0) problems.push(...refuse(`The text must mention ${missing.join(', ')}.`, 1));
  return problems;
}

function checkPart(node: Nodes, rules: TextRules, level: number, typed: string): string | undefined {
  if (rules.isEmail && /^(image|table|blockquote|inlineCode|delete)$/.test(node.type))
    return 'An email cannot have pictures, tables, quotes, code or crossed-out words, because many mail programs cannot show them. Remove them.';
  if (node.type === 'heading') return checkHeading(node, rules, level, typed);
  if (node.type !== 'listItem') return unsuitable[node.type];
  if (typeof node.checked === 'boolean') return 'Visitors would see a checkbox. Remove [ ] or [x].';
  return node.children.length === 0 ? 'This list item has no words. Add some, or remove it.' : undefined;
}

function checkHeading(heading: Heading, rules: TextRules, level: number, typed: string): string | undefined {
  const words = toString(heading).trim();
  if (!words) return 'This heading has no words. Add some, or remove it.';
  if (typed.includes('\n'))
    return `The line below "${words.split('\n').at(-1)}" makes a heading of it. Remove that line.${rules.hasHeadings ? ' A heading begins with ## and a space.' : ''}`;
  if (!rules.hasHeadings)
    return `"${words}" is a heading, and this text is too short for one. Make it **bold** instead, or write \\#.`;
  // The page has a title already, and an email has only one level below it.
  const deepest = rules.isEmail ? 2 : level + 1;
  if (heading.depth > 1 && heading.depth <= deepest) return undefined;
  return `This heading must begin with ${'#'.repeat(heading.depth > 1 ? deepest : 2)} and a space.`;
}

/** Lists what is wrong with the buttons of an email, whose text begins at the line `top`. */
function checkButton(tree: Root, top: number): Problem[] {
  const buttons = tree.children.flatMap((node) => readButton(node) ?? []);
  const wrong = buttons.filter((one, index) => index > 0 || toString(one).trim().length > longestButton);
  const message = `A message has one button: a link that is alone in its paragraph, with at most ${longestButton} characters: [words](/address). Put other links into a sentence.`;
  const lines = buttons.length > 0 ? wrong.map(({ position }) => position?.start.line ?? top) : [top];
  return lines.map((line) => ({ line, message }));
}

/** Returns the words that visitors see, line by line, without code and escaped symbols, which are meant to be shown. */
function readWords(node: Nodes, text: string): string {
  if (node.type === 'text') {
    const { start, end } = node.position ?? {};
    const typed = start ? text.slice(start.offset, end?.offset) : '';
    const escaped = [...typed.matchAll(/\\([!-/:-@[-`{-~])|&lt;/g)].map(([, symbol = '<']) => symbol);
    return [...node.value].filter((symbol) => !escaped.includes(symbol)).join('');
  }
  if (node.type === 'break') return '\n';
  return 'children' in node ? node.children.map((child) => readWords(child, text)).join('') : ' ';
}
