import { createProcessor } from '@mdx-js/mdx';
import type { Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import type { VFileMessage } from 'vfile-message';
import type { Fault } from './read-source.ts';
import { applyTextRules } from './text-rules.ts';

const mdx = createProcessor({ remarkPlugins: [remarkGfm] });

/**
 * Reads the text below the fields, and lists what does not belong in it. Lines are those of the text as it is given.
 *
 * Something that cannot be read at all ends the reading: what comes after it is not looked at, and there is no tree.
 */
export function readText(text: string, hasText: boolean): { tree?: Root; faults: Fault[] } {
  const line = text.slice(0, text.search(/\S|$/)).split('\n').length;
  if (!hasText) {
    const message = 'There is a text below the fields, which is shown nowhere. Remove it.';
    return { faults: text.trim() ? [{ line, message }] : [] };
  }
  if (!text.trim()) return { faults: [{ line, message: 'There is no text below the fields. Write one.' }] };
  try {
    const tree = mdx.parse(text) as Root;
    const faults = applyTextRules(tree).map(({ node, message }) => ({
      line: node.position?.start.line ?? line,
      message,
    }));
    return { tree, faults };
  } catch (error) {
    const problem = error as VFileMessage;
    return { faults: [{ line: findLine(problem, text) ?? line, message: explain(problem) }] };
  }
}

/** Lists what a text does not name and must. */
export function findUnnamed(text: string, mustName: readonly string[]): Fault[] {
  const line = text.slice(0, text.search(/\S|$/)).split('\n').length;
  return mustName
    .filter((name) => !text.includes(name))
    .map((name) => ({ line, message: `The text must name ${name}, in words of your own. Write it in.` }));
}

/** Finds the line that opens what is not closed: the parser notices only where the paragraph or the file ends. */
function findLine({ ruleId, reason, line, place }: VFileMessage, text: string): number | undefined {
  const opened = /\((\d+):\d+-\d+:\d+\)/.exec(reason)?.[1];
  if (opened) return Number(opened);
  if (ruleId !== 'unexpected-eof' || !place) return line;
  const { offset } = 'start' in place ? place.start : place;
  const sign = /brace|expression/.test(reason) ? '{' : '<';
  return text.slice(0, text.lastIndexOf(sign, offset)).split('\n').length;
}

/** Says in plain words what MDX does not take. */
function explain({ ruleId, reason }: VFileMessage): string {
  if (ruleId === 'acorn')
    return 'In curly brackets there may be the name of a fact, such as {app}, and nothing else.';
  if (/brace|expression/.test(reason))
    return 'A curly bracket is opened and not closed. It may hold a fact: {app}.';
  if (/closing tag|closing slash/.test(reason))
    return 'A component is opened and not closed, or closed and not opened: <DiscordLink>words</DiscordLink>.';
  if (/name|tag|attribute/.test(reason))
    return 'A < stands here that begins no component. Write &lt; for the sign.';
  return `This cannot be read (${reason}).`;
}
