import { readAttribute, readElements } from './elements.ts';

/**
 * Moves the style attributes of a page into a style sheet in its head. A policy can allow a single style sheet by its hash, but
 * style attributes only all at once. The welcome page shows the email, which uses them because mail clients support little else.
 */
export function moveStyles(html: string): string {
  const styles: string[] = [];
  let moved = html;
  // From the end, so that the offsets of earlier elements stay valid.
  for (const element of readElements(html).toReversed()) {
    const place = element.sourceCodeLocation?.attrs?.['style'];
    if (!place) continue;
    const style = readAttribute(element, 'style')!;
    if (!styles.includes(style)) styles.push(style);
    const name = `data-style="${styles.indexOf(style)}"`;
    moved = moved.slice(0, place.startOffset) + name + moved.slice(place.endOffset);
  }
  if (styles.length === 0) return html;
  // `:not(#_)` adds the specificity of an id, so that a rule wins over others like the attribute did.
  const rules = styles.map((style, index) => `[data-style='${index}']:not(#_){${style}}`);
  return moved.replace('</head>', (end) => `<style>${rules.join('')}</style>${end}`);
}
