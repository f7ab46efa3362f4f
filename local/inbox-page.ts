const preview = '<div class="section-heading">Preview</div>';

/** Shows the headers of a message on its page in the inbox, above the preview, with a link for each URL. */
export function showHeaders(page: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(
    ([name, value]) =>
      `<li style="overflow-wrap:anywhere"><span><strong>${escape(name)}:</strong> ${linkUrls(value)}</span></li>`,
  );
  const [above, ...below] = page.split(preview);
  if (lines.length === 0 || below.length === 0) return page;
  const list = `<div class="s-card"><ul class="perm-list">${lines.join('')}</ul></div>`;
  return [above + list, ...below].join(preview);
}

/**
 * Shows what became of each message, by its id, on a page of the inbox. The stand-in says that all were delivered: in a
 * badge on the list and on the page of a message, and there as the last event too.
 */
export function showOutcomes(page: string, outcomes: ReadonlyMap<string, string>): string {
  const said =
    /((?:href="\/inbox\/|>Email )([\w-]{36})\b[^]*?class="badge )badge-granted">delivered<|(Last event:<\/strong> email\.)delivered/g;
  let outcome = 'delivered';
  return page.replace(said, (words: string, badge?: string, id?: string, event?: string) => {
    if (id !== undefined) outcome = outcomes.get(id) ?? 'delivered';
    if (outcome === 'delivered') return words;
    return event === undefined ? `${badge}badge-denied">${outcome}<` : `${event}${outcome}`;
  });
}

/** RFC 2369 puts each URL in angle brackets. */
function linkUrls(value: string): string {
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
