import { createProcessor } from '@mdx-js/mdx';
import type { Heading, Root, RootContent } from 'mdast';
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
  const top = text.slice(0, text.search(/\S|$/)).split('\n').length;
  if (!rules) {
    const message = 'No page shows a text of this file. Remove everything below the fields.';
    return { faults: text.trim() ? [{ line: top, message }] : [] };
  }
  if (!text.trim()) {
    return { faults: [{ line: top, message: 'There is no text below the fields. Write one.' }] };
  }
  const tree = parseText(text);
  fillText(tree);
  joinTexts(tree);
  const footnotes = findFootnotes(tree);
  const faults: Fault[] = [];
  let level = 1;
  visit(tree, (node, index, parent) => {
    const line = node.position?.start.line ?? top;
    const refuse = (message: string, at = line) => void faults.push({ line: at, message });
    const [before, after] = [-1, 1].map((step) => parent?.children[(index ?? 0) + step]);
    switch (node.type) {
      case 'text': {
        if (parent?.type === 'paragraph' && !before && code.test(node.value)) {
          return refuse('This line is code: visitors would see it. Remove it.');
        }
        const words = node.value
          .replace(footnoteStar, (stars) => (footnotes.has(stars) ? '' : stars))
          .replace(after?.type === 'mdxJsxTextElement' ? /\{\s*$/ : /$^/, '');
        const found = findLeftovers(words);
        const star = /\p{L}+[.!?)]?\*(?![*\p{L}\d])/u.exec(words);
        if (found.length === 0 && star) {
          const message = `There is no note for "${star[0]}". Remove the star, or begin a paragraph with * and the note.`;
          found.push({ index: star.index, message });
        }
        for (const { index, message } of found) {
          refuse(message, line + words.slice(0, index).split('\n').length - 1);
        }
        return;
      }
      case 'heading': {
        const problem = checkUnderline(node, rules) ?? checkHeading(node.depth, level, toString(node), rules);
        if (problem) refuse(problem);
        level = node.depth;
        return;
      }
      case 'listItem':
        if (typeof node.checked === 'boolean') refuse('Visitors would see a box to tick. Remove [ ] or [x].');
        if (node.children.length === 0) refuse('This item of a list has no words.');
        if (/\n\s*[-•]\p{L}/u.test(toString(node)))
          refuse('A line of a list begins with a hyphen and a space: - words.', node.position?.end.line);
        return;
      case 'mdxJsxTextElement':
        if (before?.type === 'text' && /\{\s*$/.test(before.value))
          refuse(`<${node.name}> needs no curly brackets. Remove them.`);
        if (node.children.some(({ type }) => type === 'link'))
          refuse(`<${node.name}> is a link already, and a link cannot contain another one.`);
        if (node.name === 'DiscordLink' && !toString(node).trim())
          refuse('<DiscordLink> has no words: <DiscordLink>words</DiscordLink>.');
        return;
      case 'code':
        return refuse('Visitors would see this as code. Remove the backticks ```.');
      case 'inlineCode':
        if (/[{<]\w/.test(node.value))
          refuse(`Visitors would see ${node.value} as typed. Remove the backticks around it.`);
        return;
      case 'emphasis':
      case 'strong':
        if (
          (before?.type === 'text' && before.value.endsWith('*')) ||
          (after?.type === 'text' && after.value.startsWith('*'))
        )
          refuse('The stars before and after the words differ. Bold is **bold**, italic is *italic*.');
    }
  });
  // A mistake may repeat itself in the next lines, such as a table with empty lines between its rows.
  const faultsOfTree = faults.filter(
    ({ line, message }, index) =>
      !faults.slice(0, index).some((one) => one.message === message && Math.abs(line - one.line) <= 2),
  );
  const inEmail = rules.isEmail ? findEmailFaults(tree, top) : [];
  const inWhole = [...checkLength(tree, top, rules), ...findUnnamed(text, top, rules)];
  return { tree, faults: [...faultsOfTree, ...inEmail, ...inWhole] };
}

/** Parses a text as the build does, but leaves facts and components as they were typed. */
export function parseText(text: string): Root {
  return processor.parse(text) as Root;
}

/**
 * Undoes what would hide a mistake: joins texts that were split at a tag, makes a bare address text again where it is part of
 * something that failed, and gives every part of a paragraph its line.
 */
function joinTexts(tree: Root): void {
  visit(tree, (parent) => {
    if (!('children' in parent)) return;
    let line = parent.position?.start.line ?? 1;
    const joined: RootContent[] = [];
    for (const child of parent.children) {
      const last = joined.at(-1);
      line = child.position?.start.line ?? line;
      const typed = toString(child);
      const isText =
        child.type === 'text' ||
        (child.type === 'link' && child.url.endsWith(typed) && /[\]<=]["'(]?$/.test(toString(last)));
      if (isText && last?.type === 'text') last.value += typed;
      else
        joined.push({
          ...child,
          position: child.position ?? { start: { line, column: 1 }, end: { line, column: 1 } },
        });
      line = child.position?.end.line ?? line + typed.split('\n').length - 1;
    }
    parent.children = joined as typeof parent.children;
  });
}

/** A star that leads to a note, as in "apply*", or one that begins the note. */
const footnoteStar = /(?<=[^\s*/(])\*+(?![*\p{L}\d])|^\*+(?=\p{L})/gu;

/** Lists the stars that lead to a note and begin one. */
function findFootnotes(tree: Root): Set<string> {
  const marks = new Set<string>();
  const notes = new Set<string>();
  visit(tree, 'text', ({ value }, index, parent) => {
    const isNote = parent?.type === 'paragraph' && index === 0 && /^\*+\p{L}/u.test(value);
    for (const stars of value.match(footnoteStar) ?? []) (isNote ? notes : marks).add(stars);
  });
  return notes.intersection(marks);
}

/** Markdown makes a heading of a line above --- or ===, which was probably meant to be a text. */
function checkUnderline({ position, children }: Heading, { hasHeadings }: TextRules): string | undefined {
  if (!hasHeadings || position?.start.line === position?.end.line) return undefined;
  const words = toString(children).split('\n').at(-1);
  return `The line below "${words}" makes a heading of it. Put an empty line between them, or begin the heading with ##.`;
}

function checkHeading(depth: number, level: number, words: string, rules: TextRules): string | undefined {
  const sign = (depth: number) => '#'.repeat(depth);
  if (!words.trim()) return 'The heading has no words. A contact or a picture alone is not enough.';
  if (!rules.hasHeadings)
    return `"${words}" is a heading, and this text is too short for one. Make it **bold** instead.`;
  if (depth === 1) return 'The page already has a title. A heading in a text begins with ##.';
  if (depth > 2 && rules.isEmail) return 'An email has one level of headings. Begin it with ##.';
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
    .map((name) => ({ line, message: `The text must mention ${name}. Add it.` }));
}
