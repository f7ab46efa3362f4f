import { createProcessor } from '@mdx-js/mdx';
import type { Nodes, Parents, Root } from 'mdast';
import type {} from 'mdast-util-mdx';
import { toString } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import { visit } from 'unist-util-visit';
import { contentSyntax, fillText } from '../content-syntax.ts';
import { findEmailFaults } from './check-email.ts';
import { findLeftovers } from './check-words.ts';
import type { TextRules } from './collections.ts';
import type { Fault } from './fault.ts';

const processor = createProcessor({ remarkPlugins: [remarkGfm, contentSyntax] });

/** Matches an import or export statement, but no sentence. */
const code = /^import\s+(['"]|.+\sfrom\s+['"])|^export\s+(default|const|let|function|[{*])/;

/**
 * Parses the text below the fields and lists its faults.
 *
 * @param text The text, with empty lines before it so that its line numbers are those of the file.
 */
export function checkText(text: string, rules: TextRules | undefined): { tree?: Root; faults: Fault[] } {
  const line = text.slice(0, text.search(/\S|$/)).split('\n').length;
  if (!rules) {
    const message = 'This file has no text: what stands below the fields is shown nowhere. Remove it.';
    return { faults: text.trim() ? [{ line, message }] : [] };
  }
  if (!text.trim()) return { faults: [{ line, message: 'There is no text below the fields. Write one.' }] };
  const tree = parseText(text);
  fillText(tree);
  const faults: Fault[] = [];
  let level = 1;
  visit(tree, (node, index, parent) => {
    const refuse = (message: string, at = node.position?.start.line) =>
      void faults.push({ line: at ?? line, message });
    if (node.type === 'text') {
      for (const { index: found, message } of findLeftovers(node.value)) {
        refuse(
          message,
          (node.position?.start.line ?? line) + node.value.slice(0, found).split('\n').length - 1,
        );
      }
      // A star after a word, anywhere in the text, makes that at the start of a paragraph a footnote.
      if (
        isAtStart(node, parent) &&
        /^\*\p{L}/u.test(node.value) &&
        !/[\p{L}\d.!?]\*(?!\*)/u.test(text) &&
        !/\s\*/.test(node.value)
      ) {
        refuse('A star * has no partner. Italic is *italic*, without spaces inside.');
      }
      if (isAtStart(node, parent) && code.test(node.value)) {
        refuse('This line is code: visitors would see it. Remove it.');
      }
    }
    if (node.type === 'heading') {
      const problem = checkHeading(node.depth, level, toString(node), rules);
      if (problem) refuse(problem);
      level = node.depth;
    }
    if (node.type === 'definition' && !text.replace(/^\[[^\]]*\]:.*/gm, '').includes(`[${node.label}]`)) {
      refuse(`Visitors would not see "[${node.label}]: …". A link is [words](/address).`);
    }
    if (node.type === 'listItem' && typeof node.checked === 'boolean')
      refuse('Visitors would see a box to tick. Remove [ ] or [x].');
    if (node.type === 'listItem' && /\n\s*[-•]\p{L}/u.test(toString(node)))
      refuse('A line of a list begins with a hyphen and a space: - words.', node.position?.end.line);
    if (node.type === 'listItem' && node.children.length === 0) refuse('This item of a list has no words.');
    if (node.type === 'mdxJsxTextElement' && node.children.some(({ type }) => type === 'link')) {
      refuse(`<${node.name}> is a link already, and a link cannot hold another one.`);
    }
    if (node.type === 'code') refuse('Visitors would see this as code. Remove the backticks ```.');
    if (node.type === 'emphasis' || node.type === 'strong') {
      const [before, after] = [-1, 1].map((step) => parent?.children[(index ?? 0) + step]);
      const isUneven = [
        before?.type === 'text' && before.value.endsWith('*'),
        after?.type === 'text' && after.value.startsWith('*'),
      ];
      if (isUneven.includes(true))
        refuse('The stars before and after the words differ. Bold is **bold**, italic is *italic*.');
    }
    if (node.type === 'inlineCode' && /[{<]\w/.test(node.value)) {
      refuse(`Between \`backticks\`, ${node.value} is shown as it is typed. Remove the backticks.`);
    }
  });
  if (rules.isEmail) faults.push(...findEmailFaults(tree, line));
  return { tree, faults: [...faults, ...checkLength(tree, line, rules), ...findUnnamed(text, line, rules)] };
}

/** Parses a text as the build does, but leaves facts and components as they were typed. */
export function parseText(text: string): Root {
  return processor.parse(text) as Root;
}

function isAtStart(node: Nodes, parent: Parents | undefined): boolean {
  return parent?.type === 'paragraph' && parent.children[0] === node;
}

function checkHeading(depth: number, level: number, words: string, rules: TextRules): string | undefined {
  const sign = (depth: number) => '#'.repeat(depth);
  if (!words.trim()) return 'The heading has no words.';
  if (!rules.hasHeadings)
    return `"${words}" is a heading, and this text is too short for one. Make it **bold** instead.`;
  if (depth === 1) return 'The page has its one title already. A heading in a text begins with ##.';
  if (depth > 2 && rules.isEmail) return 'An e-mail has one level of headings. Begin it with ##.';
  if (depth <= level + 1) return undefined;
  return `The heading ${sign(depth)} skips a level. Begin it with ${sign(level + 1)}.`;
}

function checkLength(tree: Root, line: number, { longest = Infinity }: TextRules): Fault[] {
  let count = 0;
  visit(tree, 'text', ({ value }) => void (count += value.trim().split(/\s+/).length));
  if (count <= longest) return [];
  return [{ line, message: `The text has ${count} words, and ${longest} fit here. Shorten it.` }];
}

/** Lists the words that the law or the product requires in a text and that are missing. */
function findUnnamed(text: string, line: number, { mustName = [] }: TextRules): Fault[] {
  return mustName
    .filter((name) => !text.includes(name))
    .map((name) => ({ line, message: `The text must name ${name}. Write it in.` }));
}
