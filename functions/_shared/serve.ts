import type { FunctionName } from '../../shared/variables.ts';
import { type Config, readConfig } from './config.ts';
import { describeError, refuse } from './http.ts';

/**
 * Serves a function with its configuration, which comes from the environment variables.
 *
 * While something is missing, every call is answered with 503 and a JSON error, and the log lists what to set. An error thrown
 * while the function loads would reach the caller as a bare 500:
 * https://supabase.com/docs/guides/functions/error-codes (WORKER_ERROR).
 */
export function serve(
  name: FunctionName,
  makeHandler: (config: Config) => (request: Request) => Promise<Response>,
): void {
  let config: Config;
  try {
    config = readConfig(name, (variable) => Deno.env.get(variable));
  } catch (error) {
    console.error(describeError(error));
    Deno.serve((request) => refuse(request, [], 'misconfigured'));
    return;
  }
  Deno.serve(makeHandler(config));
}
