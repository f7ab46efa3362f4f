import { afterEach, describe, expect, it, vi } from 'vitest';
import { type DeliveryServices, type Lease, makeDelivery } from '../../functions/resend-email/delivery.ts';
import { type Outcome, readOutcome, sendMessage } from '../../functions/resend-email/send-message.ts';

type Next = Awaited<ReturnType<DeliveryServices['lease']>>;

function makeServices(queue: Next[]) {
  return {
    lease: vi.fn(async () => queue.shift() ?? null),
    compose: vi.fn(({ email }: Lease) => Promise.resolve(`message to ${email}`)),
    send: vi.fn(async (): Promise<Outcome> => ({ kind: 'sent', providerId: 'p' })),
    record: vi.fn(async () => {}),
    sleep: vi.fn(async () => {}),
    now: vi.fn(() => 0),
  };
}

const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
const email = 'name@example.com';
const pause = (wait: number) => ({ wait });
const welcome = (id: string): Lease => ({
  ...{ id, lease: `lease of ${id}`, email, member_id: 'm', template: 't', wait: 500 },
});

describe('a delivery', () => {
  it('sends each leased welcome under its own key, records it, and leases nothing during a wait', async () => {
    const services = makeServices([welcome('a'), { id: null, wait: 400 }, welcome('b')]);
    const deliver = makeDelivery(services);
    const leases: number[] = [];
    services.sleep.mockImplementation(async () => {
      leases.push(services.lease.mock.calls.length);
      void deliver(); // a sign-up
      await new Promise(setImmediate);
      leases.push(services.lease.mock.calls.length);
    });
    await deliver();
    expect(leases).toEqual([1, 1, 2, 2, 3, 3]);
    expect(services.send.mock.calls).toEqual([
      [`message to ${email}`, 'a'],
      [`message to ${email}`, 'b'],
    ]);
    expect(services.record).toHaveBeenCalledTimes(2);
    expect(services.sleep.mock.calls).toEqual([[500], [400], [500]]);
  });

  it('leaves a long wait to a later call', async () => {
    const services = makeServices([pause(11_000), welcome('a')]);
    await makeDelivery(services)();
    expect(services.sleep).not.toHaveBeenCalled();
    expect(services.send).not.toHaveBeenCalled();
  });

  it('looks at once for what is accepted while nothing is due', async () => {
    const queue: Next[] = [pause(9_000)];
    const services = makeServices(queue);
    const deliver = makeDelivery(services);
    services.sleep.mockImplementationOnce(() => {
      queue.push(welcome('a'));
      void deliver();
      return new Promise(() => {});
    });
    await deliver();
    expect(services.send).toHaveBeenCalledOnce();
  });

  it('runs once per process however often it is started, and then looks for welcomes that came in the meantime', async () => {
    const services = makeServices([welcome('a'), welcome('b')]);
    services.lease.mockResolvedValueOnce(null); // they were accepted while it looked
    const deliver = makeDelivery(services);
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(services.send).toHaveBeenCalledTimes(2);
  });

  it('ends quietly when the database is lost, and works again', async () => {
    const services = makeServices([welcome('a'), welcome('b'), welcome('c')]);
    services.lease.mockRejectedValueOnce(new Error('down'));
    services.compose.mockImplementationOnce(() => {
      throw new Error('down');
    });
    services.record.mockRejectedValueOnce(new Error('down'));
    const deliver = makeDelivery(services);
    await deliver();
    expect(logged).toHaveBeenCalledWith('delivery stopped: down');
    await deliver();
    for (const id of ['a', 'b']) expect(logged).toHaveBeenCalledWith(`message ${id} not recorded: down`);
    expect(services.send).toHaveBeenCalledTimes(2);
  });

  it('sends the next welcome while a call hangs, whenever it comes, and ends when every outcome is recorded', async () => {
    const queue: Next[] = [welcome('slow'), welcome('b')];
    const services = makeServices(queue);
    const slow = Promise.withResolvers<Outcome>();
    services.send.mockReturnValueOnce(slow.promise);
    const ended = vi.fn();
    const deliver = makeDelivery(services);
    const done = deliver().then(ended);
    await vi.waitFor(() => expect(services.record).toHaveBeenCalledTimes(1));
    await new Promise(setImmediate);
    queue.push(welcome('late'));
    void deliver();
    await vi.waitFor(() => expect(services.record).toHaveBeenCalledTimes(2));
    expect(ended).not.toHaveBeenCalled();
    slow.resolve({ kind: 'sent', providerId: 'p' });
    await done;
    expect(services.record).toHaveBeenCalledTimes(3);
  });

  it('ends before the clock calls again, and leaves the rest to a later delivery', async () => {
    const services = makeServices([welcome('a'), pause(500), welcome('b')]);
    services.sleep.mockImplementation(async () => void services.now.mockReturnValue(59_000));
    const deliver = makeDelivery(services);
    await Promise.all([deliver(), deliver()]);
    expect(services.send).toHaveBeenCalledExactlyOnceWith(expect.any(String), 'a');
    await deliver();
    expect(services.send).toHaveBeenCalledTimes(2);
  });

  it('ends after 400 messages, and leaves the rest to a later delivery', async () => {
    const services = makeServices(Array.from({ length: 600 }, (_, index) => welcome(String(index))));
    const deliver = makeDelivery(services);
    await Promise.all([deliver(), deliver()]);
    expect(services.send).toHaveBeenCalledTimes(400);
    await deliver();
    expect(services.send).toHaveBeenCalledTimes(600);
  });

  it('sends at most twenty welcomes at the same time, and another one as soon as one of them is done', async () => {
    const services = makeServices(Array.from({ length: 60 }, (_, index) => welcome(String(index))));
    const [quick, slow] = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()];
    // The first twenty are sent at once, and no longer count.
    services.send.mockImplementation(async () => {
      const { length } = services.send.mock.calls;
      return length > 20 ? (length === 40 ? quick : slow).promise : { kind: 'sent', providerId: 'p' };
    });
    const done = makeDelivery(services)();
    await vi.waitFor(() => expect(services.send).toHaveBeenCalledTimes(40));
    expect(services.lease).toHaveBeenCalledTimes(40);
    quick.resolve({ kind: 'sent', providerId: 'p' });
    await vi.waitFor(() => expect(services.send).toHaveBeenCalledTimes(41));
    slow.resolve({ kind: 'sent', providerId: 'p' });
    await done;
    expect(services.record).toHaveBeenCalledTimes(60);
  });
});

describe('an answer from the provider', () => {
  const answer = (status: number, body: object | string, headers = {}) =>
    readOutcome(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));

  // https://resend.com/docs/api-reference/errors
  it.each<[number, string, string, Outcome['kind']]>([
    [400, 'validation_error', 'API key is invalid', 'paused'],
    [400, 'validation_error', 'Invalid `to` field.', 'refused'],
    [400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.', 'rejected'],
    [401, 'restricted_api_key', 'This API key is restricted.', 'paused'],
    [403, 'invalid_api_key', 'API key is invalid.', 'paused'],
    [403, 'validation_error', 'The stash.test domain is not verified.', 'paused'],
    [404, 'not_found', 'The requested endpoint does not exist.', 'failed'],
    [409, 'concurrent_idempotent_requests', 'The original request is still in progress.', 'failed'],
    [422, 'validation_error', 'Invalid `to` field. The email address needs to follow a format.', 'refused'],
    [422, 'validation_error', 'Invalid `from` field. The email address needs to follow a format.', 'paused'],
    [422, 'invalid_from_address', 'Invalid from field.', 'paused'],
    [422, 'missing_required_field', 'Missing `html` field.', 'rejected'],
    [451, 'security_error', 'We may have found a security issue with the request.', 'rejected'],
  ])('%i %s (%s) means %s', async (status, name, message, kind) => {
    const problem = `Resend answered ${status} (${name})`;
    expect(await answer(status, { name, message })).toMatchObject({ kind, problem });
  });

  it.each<[number, Outcome['kind']]>([
    [200, 'unanswered'],
    [302, 'failed'],
    [400, 'failed'],
    [403, 'failed'],
    [422, 'failed'],
  ])('%i from a server that is not Resend means %s', async (status, kind) => {
    const problem = `Resend answered ${status} (no name)`;
    for (const body of ['<html>', 'null', '{}'])
      expect(await answer(status, body, { 'Content-Type': 'text/html' })).toMatchObject({ kind, problem });
  });

  it('that proves an acceptance means sent, without an id', async () => {
    const name = 'invalid_idempotent_request';
    expect(await answer(409, { name, message: 'Another body' })).toEqual({ kind: 'sent' });
    const cut = new ReadableStream({
      start: (body) => body.enqueue(new TextEncoder().encode('{"id":')),
      pull: (body) => body.error(new Error('cut')),
    });
    const headers = { 'Content-Type': 'application/json' };
    expect(await readOutcome(new Response(cut, { headers }))).toEqual({ kind: 'sent' });
  });

  it('never puts an email address into the problem', async () => {
    const outcome = await answer(400, { name: 'no a@example.com', message: 'a@example.com' });
    expect(JSON.stringify(outcome)).not.toContain('@');
  });

  it.each([
    ['rate_limit_exceeded', '1.5', 2],
    ['rate_limit_exceeded', '-7', 1],
    ['rate_limit_exceeded', 'Wed, 21 Oct 2026 07:28:00 GMT', 5],
    ['daily_quota_exceeded', '1', 600],
    ['daily_quota_exceeded', '80000', 3600],
    ['monthly_quota_exceeded', '', 3600],
  ])('%s with Retry-After %s means a pause of %i seconds', async (name, asked, pause) => {
    const outcome = await answer(429, { name }, { 'Retry-After': asked });
    expect(outcome).toMatchObject({ kind: 'paused', pause });
  });
});

describe('a call to the provider', () => {
  const config = { resendApiKey: 're_key' };

  afterEach(() => vi.unstubAllGlobals());

  it('posts the message with its keys, times out before the lease of a minute ends, and follows no redirect', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const fetched = vi.fn<typeof fetch>(async () => Response.json({ id: 'e-1' }));
    vi.stubGlobal('fetch', fetched);
    expect(await sendMessage('{"to":[]}', 'key', config)).toEqual({ kind: 'sent', providerId: 'e-1' });
    const request = new Request(...fetched.mock.calls[0]!);
    const { method, url, redirect } = request;
    expect([method, url, redirect]).toEqual(['POST', 'https://api.resend.com/emails', 'manual']);
    expect(Object.fromEntries(request.headers)).toEqual({
      authorization: 'Bearer re_key',
      'content-type': 'application/json',
      'idempotency-key': 'key',
    });
    expect(await request.text()).toBe('{"to":[]}');
    expect(timeout.mock.calls[0]![0]).toBeLessThan(60_000);
    expect(fetched.mock.calls[0]![1]!.signal).toBe(timeout.mock.results[0]!.value);
  });

  const noConnection = 'client error (Connect): dns error';
  const paused: Outcome = { kind: 'paused', problem: 'TypeError', pause: 5 };
  it.each<[string, Error, Outcome]>([
    ['no connection', new TypeError(noConnection), paused],
    ['no connection in Deno 2.9', new TypeError('fetch failed', { cause: new Error(noConnection) }), paused],
    ['a lost answer', new TypeError('connection reset'), { kind: 'unanswered', problem: 'TypeError' }],
    // Node, from which the owner sends test messages, puts the reason there.
    [
      'a refused connection in Node',
      new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }),
      { kind: 'unanswered', problem: 'ECONNREFUSED' },
    ],
  ])('has a known outcome after %s', async (_, error, outcome) => {
    vi.stubGlobal('fetch', () => Promise.reject(error));
    expect(await sendMessage('{}', 'key', config)).toEqual(outcome);
  });
});
