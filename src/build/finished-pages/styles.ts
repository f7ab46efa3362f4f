import { escapeHtml } from '../../../shared/escape-html.ts';
import { type Change, type Element, readAttribute } from './elements.ts';

/**
 * Moves the style attributes of a page into a style sheet in its head, as classes.
 *
 * A policy can allow a single style sheet by its hash, but style attributes only all at once. The welcome page shows the
 * email, which uses style attributes because mail clients support little else.
 */
export function moveStyles(elements: Element[]): Change[] {
  const headEnd = elements.find(({ tagName }) => tagName === 'head')?.sourceCodeLocation?.endTag?.startOffset;
  if (headEnd === undefined)
    throw new Error('A page has no </head>, so its styles cannot move into its head.');
  const changes: Change[] = [];
  const classes = new Map<string, string>();
  for (const element of elements) {
    const style = readStyle(element);
    if (style === '') continue;
    const name = classes.get(style) ?? `style-${classes.size + 1}`;
    classes.set(style, name);
    changes.push(...replaceAttributes(element, name));
  }
  // `:not(#_)` adds the specificity of an id, so that the class wins over other rules like the attribute did.
  const rules = [...classes].map(([style, name]) => `.${name}:not(#_){${style}}`);
  if (rules.length === 0) return [];
  return [...changes, { start: headEnd, end: headEnd, text: `<style>${rules.join('')}</style>` }];
}

/** CSS for table attributes that HTML has dropped but mail clients still need. */
const tableStyles: Record<string, (value: string) => string> = {
  width: (value) => `width:${/^\d+$/.test(value) ? `${value}px` : value};`,
  // Unlike `center`, this centers tables too; every browser supports it under this name.
  align: (value) => `text-align:-webkit-${value};`,
  cellspacing: (value) => `border-spacing:${value}px;`,
};

function readStyle(element: Element): string {
  const old = element.attrs.map(({ name, value }) => findTableStyle(element, name)?.(value) ?? '');
  return old.join('') + (readAttribute(element, 'style') ?? '');
}

function findTableStyle({ tagName }: Element, attribute: string) {
  return /^(table|tr|td)$/.test(tagName) ? tableStyles[attribute] : undefined;
}

function replaceAttributes(element: Element, name: string): Change[] {
  const places = Object.entries(element.sourceCodeLocation?.attrs ?? {}).filter(
    ([attribute]) => /^(class|style)$/.test(attribute) || findTableStyle(element, attribute),
  );
  const names = [readAttribute(element, 'class'), name].filter(Boolean).join(' ');
  return places.map(([, { startOffset, endOffset }], index) => ({
    // The class replaces the first attribute. The others are removed with the space before them.
    start: index === 0 ? startOffset : startOffset - 1,
    end: endOffset,
    text: index === 0 ? `class="${escapeHtml(names)}"` : '',
  }));
}
