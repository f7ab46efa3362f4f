import type { Root } from 'mdast';
import type {} from 'mdast-util-mdx';
import { visit } from 'unist-util-visit';
import type { VFile } from 'vfile';
import { fillFacts, readFact } from './facts.ts';

/** The components that an editor may use in a text. `src/components/Words.astro` draws them. */
export const contentComponents = ['SupportEmail', 'SupportPhone', 'PostalAddress', 'DiscordLink'] as const;

/**
 * Holds the texts below content/ to words: fills in facts, and stops the build at anything else that MDX would run.
 * The error names the file, the line and what is allowed.
 *
 * The facts are an option for Astro's sake, which keeps texts until its configuration changes: with a fact, for one.
 */
export function contentRules(_facts: Record<string, string>) {
  return (tree: Root, file: VFile) => {
    visit(tree, (node) => {
      const refuse = (problem: string): never => file.fail(problem, node, 'content:words');
      if (node.type === 'mdxTextExpression' || node.type === 'mdxFlowExpression') {
        const text = attempt(() => readFact(node.value.trim()), refuse);
        Object.assign(node, { type: 'text', value: text, data: undefined });
      }
      if (node.type === 'image' && /^\w+:|^\/\//.test(node.url)) {
        refuse('A picture from another server would tell that server who reads this. Put it into public/.');
      }
      if (node.type === 'link') node.url = attempt(() => fillFacts(decodeURI(node.url)), refuse);
      if (node.type === 'mdxjsEsm') refuse('import and export do not belong in a text. Remove the line.');
      if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
        if (contentComponents.some((name) => name === node.name)) {
          if (node.attributes.length > 0) refuse(`<${node.name}> takes no attributes. Remove them.`);
          return;
        }
        const known = contentComponents.map((name) => `<${name} />`).join(', ');
        refuse(
          `<${node.name ?? ''}> is not known here. The known components: ${known}. For anything else use Markdown.`,
        );
      }
    });
  };
}

function attempt(read: () => string, refuse: (problem: string) => never): string {
  try {
    return read();
  } catch (error) {
    return refuse((error as Error).message);
  }
}
