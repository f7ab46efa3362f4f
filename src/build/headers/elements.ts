import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;

/** Reads the elements of a page in document order, each with its location in the source. */
export function readElements(html: string): Element[] {
  return [...walk(parse(html, { sourceCodeLocationInfo: true }))];
}

export function readAttribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** Reads the text directly inside an element: the code of a script, the rules of a style sheet. */
export function readText(element: Element): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}

function* walk(node: DefaultTreeAdapterTypes.Node): Generator<Element> {
  if ('tagName' in node) yield node;
  // What is in a <template> is not among its children.
  const parent = 'content' in node ? node.content : node;
  if ('childNodes' in parent) for (const child of parent.childNodes) yield* walk(child);
}
