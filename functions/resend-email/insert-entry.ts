const SOURCE = 'landing_page';

/**
 * Puts an address on the waitlist through the data API, with no more rights than the page has.
 *
 * @throws Error with the status when the data API does not take the row.
 */
export async function insertEntry(address: string, supabaseUrl: string, publicKey: string): Promise<void> {
  const row = { email: address, created_at: new Date().toISOString(), source: SOURCE };
  const response = await fetch(new URL('/rest/v1/waitlist_emails', supabaseUrl), {
    method: 'POST',
    headers: { apikey: publicKey, 'Content-Type': 'application/json', Prefer: 'return=minimal' },
    body: JSON.stringify([row]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the data API answered ${response.status}`);
}
