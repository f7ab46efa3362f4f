import type { Graph, Thing, WithContext } from 'schema-dts';

/**
 * What search engines read of a page, as a data block. It is no island: nothing of it runs in the browser.
 *
 * React writes the text of a script so that none of it can end the element.
 */
export default function StructuredData({ of: data }: { of: Graph | WithContext<Thing> }) {
  return <script type="application/ld+json">{JSON.stringify(data)}</script>;
}
