/**
 * The structured data of a page for search engines, as a data block. It is not an island: nothing runs in the browser. React
 * escapes the text, so that it cannot end the script element.
 */
export default function StructuredData({ of: data }: { of: object }) {
  return <script type="application/ld+json">{JSON.stringify(data)}</script>;
}
