import type { RemarkPlugin } from '@astrojs/markdown-remark';
import { createProcessor } from '@mdx-js/mdx';
import type { Link, Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import { visit } from 'unist-util-visit';
import { fillFacts } from './facts.ts';

/** The components that an editor may use in a text. `src/components/Words.astro` draws them. */
export const componentNames = ['SupportEmail', 'SupportPhone', 'PostalAddress'] as const;

const tag = new RegExp(String.raw`<(${componentNames.join('|')})\s*/>`);

/**
 * Reads the texts below content/: GitHub's Markdown with facts and components. It switches off everything else in MDX, so that no
 * sentence is read as code, not even one that begins with "import" or contains { or <.
 *
 * The facts are passed as an option because Astro caches rendered texts until its configuration changes. This way, a
 * changed fact renders them again.
 */
export const contentSyntax: RemarkPlugin<[facts?: Record<string, string>]> = function () {
  // One ~ crosses nothing out: it is in 5~10 and 20~30.
  remarkGfm.call(this, { singleTilde: false });
  const data = this.data() as {
    micromarkExtensions?: { disable?: object; flow?: Record<number, unknown> }[];
  };
  const extensions = (data.micromarkExtensions ??= []);
  extensions.push({
    disable: { null: ['mdxFlowExpression', 'mdxTextExpression', 'mdxJsxFlowTag', 'mdxJsxTextTag'] },
  });
  for (const { flow } of extensions) {
    // import and export cannot be disabled by name. MDX registers each under its first letter: the sentences of
    // tests/unit/content-check.test.ts that begin with them notice when it does not.
    delete flow?.['e'.charCodeAt(0)];
    delete flow?.['i'.charCodeAt(0)];
  }
  return fillText;
};

const processor = createProcessor({ remarkPlugins: [contentSyntax] });

/** Parses a text as the build does, with facts filled in. */
export function parseText(text: string): Root {
  const tree = processor.parse(text) as Root;
  fillText(tree);
  return tree;
}

/** Returns the link that becomes the button of an email: one that is alone in its paragraph. */
export function readButton(node: Nodes): Link | undefined {
  let part: Nodes = node;
  if (part.type !== 'paragraph') return undefined;
  // It may be bold.
  while (part.type !== 'link' && 'children' in part && part.children.length === 1) part = part.children[0]!;
  return part.type === 'link' ? part : undefined;
}

/** Replaces the names of facts and components with their values. Everything else stays as typed. */
function fillText(tree: Root): void {
  visit(tree, (node) => {
    if (node.type === 'link') node.url = fillFacts(node.url);
    if (node.type === 'text') node.value = fillFacts(node.value);
    if ('children' in node) node.children = node.children.flatMap(splitTags) as typeof node.children;
  });
}

type Child = Root['children'][number];

/** Splits a text at its tags, and turns each tag into a component. */
function splitTags(node: Child): Child[] {
  if (node.type !== 'text') return [node];
  return node.value.split(tag).flatMap((value, index): Child[] => {
    // Between the other parts are the names of the tags.
    if (index % 2 === 1)
      return [{ ...node, type: 'mdxJsxTextElement', name: value, attributes: [], children: [] }];
    return value ? [{ ...node, value }] : [];
  });
}
