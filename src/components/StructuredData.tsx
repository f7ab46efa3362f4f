import type { Graph, Thing, WithContext } from 'schema-dts';

/**
 * The structured data of a page for search engines, as a data block. It is not an island: nothing runs in the browser.
 *
 * React escapes the text, so that it cannot end the script element. Characters beyond Latin-1 are escaped like those of the
 * page (`src/markup/integration.ts`).
 */
export default function StructuredData({ of: data }: { of: Graph | WithContext<Thing> }) {
  const json = JSON.stringify(data).replace(
    /[^\0-\xff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return <script type="application/ld+json">{json}</script>;
}
