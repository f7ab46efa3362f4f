import { ReadableStream } from 'node:stream/web';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { readEvent } from '../../functions/delivery-events/event.ts';
import { handleDeliveryEvent, type Services } from '../../functions/delivery-events/handler.ts';
import { isSigned } from '../../functions/delivery-events/signature.ts';

const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;

/** Signs as Resend does, with the library that Resend's own client uses to verify. */
function sign(body: string, { id = 'msg_1', at = Date.now(), by = secret } = {}): Headers {
  const time = new Date(at);
  return new Headers({
    'svix-id': id,
    'svix-timestamp': String(Math.floor(at / 1000)),
    'svix-signature': new Webhook(by).sign(id, time, body),
  });
}

const change = (headers: Headers, name: string, value: string) =>
  new Headers({ ...Object.fromEntries(headers), [name]: value });

describe('a signature', () => {
  it('is invalid when anything was changed', () => {
    const now = Date.now();
    const headers = sign('{}', { at: now });
    const signature = headers.get('svix-signature')!;
    const forged: [Headers, string][] = [
      [headers, '{ }'],
      [change(headers, 'svix-id', 'msg_2'), '{}'],
      [change(headers, 'svix-timestamp', String(Math.floor(now / 1000) - 1)), '{}'],
      [change(headers, 'svix-timestamp', 'now'), '{}'],
      [change(headers, 'svix-signature', signature.replace('v1,', 'v2,')), '{}'],
      [change(headers, 'svix-signature', signature.slice(0, -3)), '{}'],
      [sign('{}', { by: otherSecret }), '{}'],
      [new Headers(), '{}'],
    ];
    for (const [given, body] of forged) expect(isSigned(given, body, secret)).toBe(false);
  });

  it('is valid next to others while the secret is being replaced', () => {
    const now = Date.now();
    const [own, other] = [secret, otherSecret].map((by) =>
      sign('{}', { by, at: now }).get('svix-signature')!,
    );
    const headers = change(sign('{}', { at: now }), 'svix-signature', `v1a,x ${other} ${own}`);
    expect(isSigned(headers, '{}', secret)).toBe(true);
  });

  it('is valid for five minutes, whether the clock is fast or slow', () => {
    const now = Date.now();
    for (const offset of [-6, -4, 4, 6]) {
      const headers = sign('{}', { at: now + offset * 60_000 });
      expect(isSigned(headers, '{}', secret, now)).toBe(Math.abs(offset) < 5);
    }
  });
});

const data = { email_id: 'e-1', to: ['Name@Example.com'] };
const tell = (type: string, more: object = {}) =>
  JSON.stringify({ type, created_at: '2026-11-21T12:00:00.000Z', data: { ...data, ...more } });

describe('an event', () => {
  it('says what happened, and to which message', () => {
    expect(readEvent(tell('email.delivered'))).toEqual({
      kind: 'delivered',
      message: 'e-1',
      problem: null,
      isFinal: false,
      recipient: 'name@example.com',
    });
  });

  const quota = { failed: { reason: 'reached_daily_quota' } };
  const suppressed = { suppressed: { type: 'OnAccountSuppressionList', message: 'No name@example.com' } };
  const full = { bounce: { type: 'Transient', subType: 'MailboxFull' } };
  const permanent = { bounce: { type: 'Permanent', subType: 'General', message: '550 name@example.com' } };

  it.each<[kind: string, details: object, problem: string | null, isFinal: boolean]>([
    ['complained', {}, null, true],
    ['bounced', {}, null, true],
    ['bounced', permanent, 'Permanent, General', true],
    ['bounced', full, 'Transient, MailboxFull', false],
    ['bounced', { bounce: { type: 'name@example.com' } }, null, false],
    ['suppressed', suppressed, 'OnAccountSuppressionList', true],
    ['failed', quota, 'reached_daily_quota', false],
  ])('%s with %j has the problem %s, and is final: %s', (kind, details, problem, isFinal) => {
    expect(readEvent(tell(`email.${kind}`, details))).toMatchObject({ kind, problem, isFinal });
  });

  it.each([[['a@example.com', 'b@example.com']], [[]]])('is about one recipient, and not about %j', (to) => {
    expect(readEvent(tell('email.complained', { to }))).toMatchObject({ recipient: null });
  });

  it.each([
    tell('email.opened'),
    tell('email.delivered', { email_id: 7 }),
    tell('email.delivered', { email_id: 'a\u0000b' }),
    '{"type":"email.delivered","data":null}',
    'null',
    '{',
  ])('is ignored when we do not need it: %s', (body) => expect(readEvent(body)).toBeUndefined());
});

function makeServices(record: Services['record'] = async () => {}) {
  return {
    isSigned: vi.fn((headers: Headers, body: string) => isSigned(headers, body, secret)),
    record: vi.fn(record),
  };
}

function call(body: string, headers = sign(body)): Request {
  return new Request('http://function/', { method: 'POST', headers, body });
}

describe('a webhook call', () => {
  it('is recorded under its own id, also when it arrives in parts that cut a letter in two', async () => {
    const services = makeServices();
    const body = tell('email.bounced', { subject: 'Grüße' });
    const bytes = new TextEncoder().encode(body);
    const cut = bytes.indexOf(new TextEncoder().encode('ü')[0]!) + 1;
    const parts = ReadableStream.from([bytes.slice(0, cut), bytes.slice(cut)]);
    const init = { method: 'POST', headers: sign(body), body: parts, duplex: 'half' } as RequestInit;
    expect((await handleDeliveryEvent(new Request('http://function/', init), services)).status).toBe(200);
    expect(services.record).toHaveBeenCalledExactlyOnceWith(
      'msg_1',
      expect.objectContaining({ message: 'e-1' }),
    );
  });

  it('is accepted even if we do not need its event, so that it is not sent again', async () => {
    const services = makeServices();
    expect((await handleDeliveryEvent(call(tell('email.opened')), services)).status).toBe(200);
    expect(services.record).not.toHaveBeenCalled();
  });

  it('gets 503 while the database is down, so that it is sent again', async () => {
    const services = makeServices(() => Promise.reject(new Error('the data API answered 500')));
    expect((await handleDeliveryEvent(call(tell('email.bounced')), services)).status).toBe(503);
    expect(logged).toHaveBeenCalledWith('event not recorded: the data API answered 500');
  });

  it('is refused when it is too large or not a POST', async () => {
    const services = makeServices();
    const large = 'x'.repeat(129 * 1024);
    expect((await handleDeliveryEvent(call(large), services)).status).toBe(413);
    expect((await handleDeliveryEvent(new Request('http://function/'), services)).status).toBe(405);
    expect(services.isSigned).not.toHaveBeenCalled();
  });
});
