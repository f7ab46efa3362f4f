import type { Nodes, Root } from 'mdast';
import type {} from 'mdast-util-mdx';
import { visit } from 'unist-util-visit';
import type { VFile } from 'vfile';
import { fillFacts, readFact } from '../facts.ts';

/** The components that an editor may use in a text. `src/components/Words.astro` draws them. */
export const contentComponents = ['SupportEmail', 'SupportPhone', 'PostalAddress', 'DiscordLink'] as const;

/** Something in a text that does not belong there. */
export interface TextFault {
  node: Nodes;
  message: string;
}

/**
 * Holds the texts below content/ to words: fills in facts, and stops the build at anything else that MDX would run.
 * The error names the file, the line and what is allowed.
 *
 * The facts are an option for Astro's sake, which keeps texts until its configuration changes: with a fact, for one.
 */
export function contentRules(_facts: Record<string, string>) {
  return (tree: Root, file: VFile) => {
    const [fault] = applyTextRules(tree);
    if (fault) file.fail(fault.message, fault.node, 'content:words');
  };
}

/** Fills the facts into a text, and lists everything that does not belong in it. */
export function applyTextRules(tree: Root): TextFault[] {
  const faults: TextFault[] = [];
  // The page itself has the heading of the first level.
  let level = 1;
  visit(tree, (node) => {
    const refuse = (message: string) => void faults.push({ node, message });
    if (node.type === 'mdxTextExpression' || node.type === 'mdxFlowExpression') {
      const value = attempt(() => readFact(node.value.trim()), refuse);
      Object.assign(node, { type: 'text', value, data: undefined });
    }
    if (node.type === 'image' && /^\w+:|^\/\//.test(node.url)) {
      refuse('A picture from another server would tell that server who reads this. Put it into public/.');
    }
    if (node.type === 'imageReference') {
      refuse('The address of a picture stands at its place: ![what it shows](/file.png).');
    }
    if (node.type === 'link' || node.type === 'definition') {
      node.url = attempt(() => fillFacts(node.url), refuse);
    }
    if (node.type === 'heading') {
      if (node.depth === 1) refuse('The page has its one title already. A heading in a text begins with ##.');
      else if (node.depth > level + 1) {
        const [found, expected] = [node.depth, level + 1].map((depth) => '#'.repeat(depth));
        refuse(`The heading ${found} leaves out a level. Begin it with ${expected}.`);
      }
      level = node.depth;
    }
    if (node.type === 'mdxjsEsm') refuse('import and export do not belong in a text. Remove the line.');
    if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
      if (!contentComponents.some((name) => name === node.name)) {
        const known = contentComponents.map((name) => `<${name} />`).join(', ');
        refuse(
          `<${node.name ?? ''}> is not known here. The known components: ${known}. For anything else use Markdown.`,
        );
      } else if (node.attributes.length > 0) {
        refuse(`<${node.name}> takes no attributes. Remove them.`);
      }
    }
  });
  return faults;
}

function attempt(read: () => string, refuse: (message: string) => void): string {
  try {
    return read();
  } catch (error) {
    refuse((error as Error).message);
    return '';
  }
}
