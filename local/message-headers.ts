/** Shows the headers of a message on its page in the inbox, above the preview. What is an address there is a link. */
export function showHeaders(page: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(
    ([name, value]) =>
      `<li style="overflow-wrap:anywhere"><span><strong>${escape(name)}:</strong> ${linkAddresses(value)}</span></li>`,
  );
  const [above, ...below] = page.split(preview);
  if (lines.length === 0 || below.length === 0) return page;
  const list = `<div class="s-card"><ul class="perm-list">${lines.join('')}</ul></div>`;
  return [above + list, ...below].join(preview);
}

const preview = '<div class="section-heading">Preview</div>';

/** RFC 2369 puts each address in pointed brackets. */
function linkAddresses(value: string): string {
  return escape(value).replace(
    /&lt;((?:https?|mailto):.*?)&gt;/g,
    '&lt;<a href="$1" style="color:inherit">$1</a>&gt;',
  );
}

function escape(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
