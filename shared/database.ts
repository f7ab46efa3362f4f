const TIMEOUT = 8_000; // milliseconds; less than half of what the page waits for the whole call

/** Calls procedures of the database through the project's data API. */
export class Database {
  #url: string;
  #secretKeys: string[];

  /** While the secret key of the project is replaced, there are several, and one may have been revoked. */
  constructor({ supabaseUrl, secretKeys }: { supabaseUrl: string; secretKeys: string[] }) {
    this.#url = supabaseUrl;
    this.#secretKeys = secretKeys;
  }

  /**
   * Calls one procedure and resolves to its rows, or to its value. Rejects with an Error that has the status, but not the parameters,
   * when the data API answers with an error.
   */
  async call<Result>(procedure: string, parameters: object = {}): Promise<Result> {
    const response = await this.post(procedure, parameters, TIMEOUT);
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`${procedure}: the data API answered ${response.status}`);
    }
    return JSON.parse((await response.text()) || 'null') as Result;
  }

  /** Posts the call of a procedure. Resolves to the answer, whatever it is; rejects after `timeout` milliseconds of one key. */
  async post(procedure: string, parameters: object, timeout: number): Promise<Response> {
    const [key = '', ...others] = this.#secretKeys;
    const response = await fetch(new URL(`/rest/v1/rpc/${procedure}`, this.#url), {
      method: 'POST',
      headers: { apikey: key, 'Content-Type': 'application/json' },
      body: JSON.stringify(parameters),
      signal: AbortSignal.timeout(timeout),
    });
    if (response.status !== 401 || others.length === 0) return response;
    await response.body?.cancel();
    this.#secretKeys = others;
    return this.post(procedure, parameters, timeout);
  }
}
