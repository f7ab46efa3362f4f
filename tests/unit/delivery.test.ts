import { describe, expect, it, vi } from 'vitest';
import { type DeliveryServices, makeDelivery } from '../../functions/resend-email/delivery.ts';
import { judge, type Outcome } from '../../functions/resend-email/send-message.ts';

type Next = Awaited<ReturnType<DeliveryServices['lease']>>;

function makeServices(queue: Next[]) {
  return {
    lease: vi.fn(async () => queue.shift()),
    send: vi.fn(async (): Promise<Outcome> => ({ kind: 'sent', providerId: 'p' })),
    record: vi.fn(async () => {}),
    sleep: vi.fn(async () => {}),
    now: vi.fn(() => 0),
    log: vi.fn(),
  };
}

const welcome = (id: string) => ({ id, lease: `lease of ${id}`, message: '{}' });

describe('a delivery', () => {
  it('sends what is leased, under its own key, and records it', async () => {
    const services = makeServices([welcome('a'), 400, welcome('b')]);
    await makeDelivery(services)();
    expect(services.send.mock.calls).toEqual([
      ['{}', 'a'],
      ['{}', 'b'],
    ]);
    expect(services.record).toHaveBeenCalledTimes(2);
    expect(services.sleep).toHaveBeenCalledExactlyOnceWith(400);
  });

  it('leaves a long wait to a later call', async () => {
    const services = makeServices([3_600_000, welcome('a')]);
    await makeDelivery(services)();
    expect(services.sleep).not.toHaveBeenCalled();
    expect(services.send).not.toHaveBeenCalled();
  });

  it('runs once in a process however often it is asked, and looks again for what came meanwhile', async () => {
    const queue: Next[] = [welcome('a')];
    const services = makeServices(queue);
    const deliver = makeDelivery(services);
    services.send.mockImplementationOnce(async () => {
      queue.push(undefined, welcome('b'));
      void deliver();
      return { kind: 'sent', providerId: 'p' };
    });
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(services.send).toHaveBeenCalledTimes(2);
  });

  it('ends quietly when the database is lost, and works again', async () => {
    const services = makeServices([welcome('a'), welcome('b')]);
    services.lease.mockRejectedValueOnce(new Error('down'));
    services.record.mockRejectedValueOnce(new Error('down'));
    const deliver = makeDelivery(services);
    await deliver();
    expect(services.log).toHaveBeenCalledWith('delivery broke off: down');
    await deliver();
    expect(services.log).toHaveBeenCalledWith('welcome a not recorded: down');
    expect(services.send).toHaveBeenCalledTimes(2);
  });

  it('does not wait for a slow provider before it sends the next', async () => {
    const services = makeServices([welcome('slow'), welcome('b')]);
    const slow = Promise.withResolvers<Outcome>();
    services.send.mockReturnValueOnce(slow.promise);
    const done = makeDelivery(services)();
    await vi.waitFor(() => expect(services.record).toHaveBeenCalledOnce());
    slow.resolve({ kind: 'sent', providerId: 'p' });
    await done;
    expect(services.record).toHaveBeenCalledTimes(2);
  });

  it('does not end before everything on its way is recorded', async () => {
    const services = makeServices([welcome('slow')]);
    const slow = Promise.withResolvers<Outcome>();
    services.send.mockReturnValueOnce(slow.promise);
    const ended = vi.fn();
    const done = makeDelivery(services)().then(ended);
    await vi.waitFor(() => expect(services.lease).toHaveBeenCalledTimes(2));
    await new Promise(setImmediate);
    expect(ended).not.toHaveBeenCalled();
    slow.resolve({ kind: 'sent', providerId: 'p' });
    await done;
    expect(services.record).toHaveBeenCalledOnce();
  });

  it('ends after a minute, and leaves the rest to a later one', async () => {
    const services = makeServices([welcome('a'), 500, welcome('b')]);
    services.sleep.mockImplementation(async () => void services.now.mockReturnValue(60_000));
    const deliver = makeDelivery(services);
    await Promise.all([deliver(), deliver()]);
    expect(services.send).toHaveBeenCalledExactlyOnceWith('{}', 'a');
    await deliver();
    expect(services.send).toHaveBeenCalledTimes(2);
  });

  it('has twenty welcomes on their way at most', async () => {
    const services = makeServices(Array.from({ length: 30 }, (_, index) => welcome(String(index))));
    const gate = Promise.withResolvers<Outcome>();
    services.send.mockReturnValue(gate.promise);
    const done = makeDelivery(services)();
    await vi.waitFor(() => expect(services.send).toHaveBeenCalledTimes(20));
    expect(services.lease).toHaveBeenCalledTimes(20);
    gate.resolve({ kind: 'sent', providerId: 'p' });
    await done;
    expect(services.record).toHaveBeenCalledTimes(30);
  });
});

describe('an answer of the provider', () => {
  const answer = (status: number, name?: string, headers: Record<string, string> = {}) =>
    judge(new Response(JSON.stringify({ name, id: 'p' }), { status, headers }));

  it.each<[number, string | undefined, Outcome['kind']]>([
    [200, undefined, 'sent'],
    [400, 'validation_error', 'refused'],
    [401, 'missing_api_key', 'postponed'],
    [403, 'validation_error', 'postponed'],
    [409, 'invalid_idempotent_request', 'refused'],
    [409, 'concurrent_idempotent_requests', 'failed'],
    [422, 'validation_error', 'refused'],
    [429, 'rate_limit_exceeded', 'postponed'],
    [429, 'daily_quota_exceeded', 'postponed'],
    [500, 'internal_server_error', 'failed'],
    [503, undefined, 'failed'],
  ])('%i %s means %s', async (status, name, kind) => {
    expect((await answer(status, name)).kind).toBe(kind);
  });

  it('says how long to wait, and is asked again within the hour', async () => {
    expect(await answer(429, 'rate_limit_exceeded', { 'Retry-After': '2' })).toMatchObject({ retryAfter: 2 });
    expect(await answer(429, 'daily_quota_exceeded', { 'Retry-After': '80000' })).toMatchObject({
      retryAfter: 3600,
    });
    expect(await answer(429, 'daily_quota_exceeded')).toMatchObject({ retryAfter: 3600 });
  });

  it('that is no JSON is judged by its status', async () => {
    expect((await judge(new Response('<html>', { status: 502 }))).kind).toBe('failed');
  });
});
