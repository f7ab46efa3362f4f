import type { Graph, Thing, WithContext } from 'schema-dts';

/**
 * The structured data of a page for search engines, as a data block. It is not an island: nothing runs in the browser.
 *
 * React escapes the text, so that it cannot end the script element.
 */
export default function StructuredData({ of: data }: { of: Graph | WithContext<Thing> }) {
  return <script type="application/ld+json">{JSON.stringify(data)}</script>;
}
