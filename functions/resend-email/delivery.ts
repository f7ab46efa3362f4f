import { describeError } from '../_shared/http.ts';
import type { Outcome } from './send-message.ts';

/** A message that was leased for sending: a welcome or an announcement. */
export interface Lease {
  id: string;
  lease: string;
  /** The recipient, and the id that the unsubscribe token contains. */
  email: string;
  member_id: string;
  /** The hash of its template. */
  template: string;
  /** Milliseconds until the next one can be leased. */
  wait: number;
}

/** There is nothing to send now. An id of null means a turn that sends nothing. */
export type Pause = Pick<Lease, 'wait'> & { id?: null };

export interface DeliveryServices {
  /** Leases the next message. Resolves to null if nothing is due. */
  lease(): Promise<Lease | Pause | null>;
  /** Returns the body of the call to the provider, the same for each attempt. */
  compose(lease: Lease): Promise<string>;
  send(message: string, idempotencyKey: string): Promise<Outcome>;
  record(lease: Lease, outcome: Outcome): Promise<void>;
  sleep(milliseconds: number): Promise<void>;
  /** Milliseconds on a clock that never runs backward. */
  now(): number;
}

const MOST_AT_ONCE = 20;
const LONGEST_WAIT = 10_000; // milliseconds; a later call sends what has to wait longer
// Supabase stops a function after 150 s, or 2 s of processor time; a message takes 3 ms (ops/bench/README.md). The clock
// calls every minute. A run must end before its next call, because a call that joins a run at its end sends nothing.
const LONGEST_RUN = 55_000; // milliseconds
const MOST_IN_A_RUN = 400; // messages

/**
 * Makes a delivery that sends the messages in the outbox, for about a minute.
 *
 * The database hands out the messages and sets the pace, so any number of deliveries may run at once. Within one
 * process a second call joins the running one. It never rejects: a message whose outcome could not be recorded is
 * leased again later, and the provider recognizes it by its key.
 */
export function makeDelivery(services: DeliveryServices): () => Promise<void> {
  const { lease, sleep, now } = services;
  let running: Promise<void> | undefined;
  let isAsked = false;
  let wake = () => {};
  // Not part of a run: up to MOST_AT_ONCE, slow answers delay no other message.
  const onTheirWay = new Set<Promise<void>>();

  async function run(): Promise<void> {
    const endsAt = now() + LONGEST_RUN;
    let left = MOST_IN_A_RUN;
    while (now() < endsAt && left > 0) {
      isAsked = false;
      const next = await lease().catch((error) => {
        console.error(`delivery stopped: ${describeError(error)}`);
        return null;
      });
      if (next?.id) {
        const sending = sendOne(next, services).finally(() => onTheirWay.delete(sending));
        onTheirWay.add(sending);
      }
      // Also in a turn that sends nothing: a shorter gap would reveal who is on the list.
      if (next && next.id !== undefined) {
        left--;
        await sleep(next.wait);
        if (onTheirWay.size >= MOST_AT_ONCE) await Promise.race(onTheirWay);
      } else if (!isAsked) {
        if (!next || next.wait > Math.min(LONGEST_WAIT, endsAt - now())) break;
        // What is accepted meanwhile may be due at once.
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), sleep(next.wait)]);
      }
    }
    running = undefined;
  }

  return async () => {
    isAsked = true;
    wake();
    await (running ??= run());
    await Promise.all(onTheirWay);
  };
}

async function sendOne(leased: Lease, { compose, send, record }: DeliveryServices): Promise<void> {
  const { id } = leased;
  try {
    const outcome = await send(await compose(leased), id);
    if (outcome.kind !== 'sent') console.error(`message ${id} ${outcome.kind}: ${outcome.problem}`);
    await record(leased, outcome);
  } catch (error) {
    console.error(`message ${id} not recorded: ${describeError(error)}`);
  }
}
