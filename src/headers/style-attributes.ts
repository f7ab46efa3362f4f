import { type Element, readAttribute, readElements } from './markup.ts';

/**
 * Turns the style attributes of a page into the classes of one style sheet at the end of its head.
 *
 * The policy can allow a style sheet by its hash, and an attribute only by allowing them all. The welcome e-mail is made
 * of such attributes, since mail clients read nothing else, and a page shows it.
 */
export function moveStyleAttributes(html: string): string {
  const elements = readElements(html);
  const styled = elements.filter((element) => readAttribute(element, 'style') !== undefined);
  if (styled.length === 0) return html;
  const classes = new Map<string, string>();
  const changes: Change[] = [];
  for (const element of styled) {
    const style = readAttribute(element, 'style') ?? '';
    const name = classes.get(style) ?? `style-${classes.size + 1}`;
    classes.set(style, name);
    const names = [readAttribute(element, 'class'), name].filter(Boolean).join(' ');
    changes.push(replaceAttribute(element, 'style', `class="${escape(names)}"`));
    if (readAttribute(element, 'class') !== undefined) changes.push(replaceAttribute(element, 'class', ''));
  }
  // Like an attribute, a rule with the weight of an id beats what style sheets say of classes and elements.
  const rules = [...classes].map(([style, name]) => `.${name}:not(#_){${style}}`).join('');
  if (rules.includes('</style'))
    throw new Error('A style attribute holds </style, which would end its sheet.');
  const headEnd = elements.find(({ tagName }) => tagName === 'head')?.sourceCodeLocation?.endTag?.startOffset;
  if (headEnd === undefined) throw new Error('A page without </head> has no place for its styles.');
  changes.push({ start: headEnd, end: headEnd, text: `<style>${rules}</style>` });
  return change(html, changes);
}

interface Change {
  start: number;
  end: number;
  text: string;
}

function replaceAttribute({ sourceCodeLocation }: Element, name: string, text: string): Change {
  const { startOffset, endOffset } = sourceCodeLocation!.attrs![name]!;
  return { start: startOffset, end: endOffset, text };
}

/** From the end, so that the places of the earlier changes still hold. */
function change(html: string, changes: Change[]): string {
  const ordered = changes.toSorted((a, b) => b.start - a.start);
  return ordered.reduce(
    (text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end),
    html,
  );
}

function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
