import type { RemarkPlugin } from '@astrojs/markdown-remark';
import { createProcessor } from '@mdx-js/mdx';
import type { Link, Nodes, PhrasingContent, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import { visit } from 'unist-util-visit';
import { fillFacts } from './facts.ts';

/** The components that an editor may use in a text. `src/components/Words.astro` draws them. */
export const componentNames = ['SupportEmail', 'SupportPhone', 'PostalAddress', 'DiscordLink'] as const;

/** The only component that wraps words. */
export const wrappingComponent = 'DiscordLink';

const names = componentNames.join('|');
const tags = new RegExp(String.raw`(<(?:${names})\s*/>|</?${wrappingComponent}>)`);

/** The part of a parser's extension that is used here. */
interface Extension {
  disable?: { null: string[] };
  flow?: Record<number, unknown>;
}

/**
 * Reads the texts below content/: Markdown with facts and components. It switches off everything else in MDX, so that no
 * sentence is read as code, not even one that begins with "import" or contains { or <.
 *
 * The facts are passed as an option because Astro caches rendered texts until its configuration changes. This way, a
 * changed fact renders them again.
 */
export const contentSyntax: RemarkPlugin<[facts?: Record<string, string>]> = function () {
  const data = this.data() as { micromarkExtensions?: Extension[] };
  const extensions = (data.micromarkExtensions ??= []);
  extensions.push({
    disable: { null: ['mdxFlowExpression', 'mdxTextExpression', 'mdxJsxFlowTag', 'mdxJsxTextTag'] },
  });
  for (const { flow } of extensions) {
    // import and export cannot be disabled by name. MDX registers each under its first letter.
    delete flow?.['e'.charCodeAt(0)];
    delete flow?.['i'.charCodeAt(0)];
  }
  return fillText;
};

const processor = createProcessor({ remarkPlugins: [remarkGfm, contentSyntax] });

/** Parses a text as the build does, with facts filled in. */
export function parseText(text: string): Root {
  const tree = processor.parse(text) as Root;
  fillText(tree);
  return tree;
}

/** A component in a text. */
export type ComponentNode = Extract<Nodes, { type: 'mdxJsxTextElement' }>;

/** A link, or words that a component makes a link. */
export type LinkNode = Link | ComponentNode;

/** Returns whether a node is a link. */
export function isLink(node: Nodes): node is LinkNode {
  return node.type === 'link' || (node.type === 'mdxJsxTextElement' && node.name === wrappingComponent);
}

/** Returns the link that becomes the button of an email: one that is alone in its paragraph. */
export function readButton(node: Nodes): LinkNode | undefined {
  let part: Nodes = node;
  if (part.type !== 'paragraph') return undefined;
  // It may be bold.
  while (!isLink(part) && 'children' in part && part.children.length === 1) part = part.children[0]!;
  return isLink(part) ? part : undefined;
}

/** Replaces the names of facts and components with their values. Everything else stays as typed. */
function fillText(tree: Root): void {
  visit(tree, (node) => {
    if (node.type === 'link' || node.type === 'definition') node.url = fillFacts(node.url);
    if (node.type === 'text') node.value = fillFacts(node.value);
    if ('children' in node)
      node.children = wrapWords(node.children.flatMap(splitTags)) as typeof node.children;
  });
}

type Child = Root['children'][number];

/** Splits a text at its tags, and turns tags that wrap no words into components. */
function splitTags(node: Child): Child[] {
  if (node.type !== 'text' || !tags.test(node.value)) return [node];
  return node.value.split(tags).flatMap((value): Child[] => {
    const name = /^<(\w+)\s*\/>$/.exec(value)?.[1];
    if (name && name !== wrappingComponent) return [component(name, [], node)];
    return value ? [{ ...node, value }] : [];
  });
}

/** Turns each pair of tags, with everything between them, into a component. A single tag stays text. */
function wrapWords(children: Child[]): Child[] {
  const isTag = (node: Child, tag: string) => node.type === 'text' && node.value === tag;
  const open = children.findIndex((node) => isTag(node, `<${wrappingComponent}>`));
  const close = children.findIndex((node, index) => index > open && isTag(node, `</${wrappingComponent}>`));
  if (open < 0 || close < 0) return children;
  const words = children.slice(open + 1, close) as PhrasingContent[];
  return [
    ...children.slice(0, open),
    component(wrappingComponent, words, children[open]!),
    ...wrapWords(children.slice(close + 1)),
  ];
}

function component(name: string, children: PhrasingContent[], { position }: Child): ComponentNode {
  return { type: 'mdxJsxTextElement', name, attributes: [], children, ...(position && { position }) };
}
