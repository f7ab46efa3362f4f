const TIMEOUT = 8_000; // milliseconds; less than half of what the page waits for the whole call

/** Calls procedures of the database through the project's data API. */
export class Database {
  #url: string;
  #headers: Record<string, string>;

  constructor({ supabaseUrl, secretKey }: { supabaseUrl: string; secretKey: string }) {
    this.#url = supabaseUrl;
    this.#headers = { apikey: secretKey, 'Content-Type': 'application/json' };
    // The data API reads the role from a legacy key, which is a token. A new key must not be sent as one.
    if (secretKey.startsWith('eyJ')) this.#headers['Authorization'] = `Bearer ${secretKey}`;
  }

  /**
   * Calls one procedure and resolves to its rows.
   *
   * @throws Error with the status, but without the parameters, when the data API does not answer with rows.
   */
  async call<Row>(procedure: string, parameters: object = {}): Promise<Row[]> {
    const response = await this.post(procedure, parameters, TIMEOUT);
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`${procedure}: the data API answered ${response.status}`);
    }
    const text = await response.text();
    const rows: unknown = text === '' ? [] : JSON.parse(text);
    return (Array.isArray(rows) ? rows : []) as Row[];
  }

  /** Posts the call of a procedure. Resolves to the answer, whatever it is; rejects after `timeout` milliseconds without one. */
  post(procedure: string, parameters: object, timeout: number): Promise<Response> {
    return fetch(new URL(`/rest/v1/rpc/${procedure}`, this.#url), {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify(parameters),
      signal: AbortSignal.timeout(timeout),
    });
  }
}
