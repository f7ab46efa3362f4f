const preview = '<div class="section-heading">Preview</div>';

/** Adds the headers of a message to its page in the inbox, above the preview, with a link for each URL. */
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
 * Replaces the state of each message, by its id, on a page of the inbox. The stand-in calls every message delivered: in a
 * badge on the list and on the message's page, and in the last event there.
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
