-- What the provider reports about a message after accepting it.

-- The provider may report the same thing several times.
create table private.delivery_events (
  id text primary key,
  -- The provider's id of the message. An event may arrive before the outbox knows this id, and stays unmatched until then.
  message text not null,
  delivery uuid references private.outbox (id) on delete cascade on update cascade,
  -- failed: the provider accepted the message but could not send it. suppressed: it did not try, because the address
  -- bounced or complained before, perhaps for another sender.
  kind text not null check (kind in ('delivered', 'bounced', 'complained', 'failed', 'suppressed')),
  is_final boolean not null, -- the mailbox is never mailed again
  at timestamptz not null,
  problem text,
  received_at timestamptz not null default now(),
  unique (message, kind)
);
create index delivery_events_delivery_idx on private.delivery_events (delivery);
create index delivery_events_returned_idx on private.delivery_events (at, id) where kind <> 'delivered';
create index delivery_events_unmatched_idx on private.delivery_events (received_at) where delivery is null;

-- Connects new events with their message. Locked, because an event and the provider's answer that are recorded at the same
-- time could miss each other: both have to call this before they end. A message that the provider failed to send is sent again in
-- an hour: the reasons are the sender's, such as a quota (https://resend.com/docs/webhooks/emails/failed).
create function private.match_events(provider_message text) returns void language plpgsql set search_path = '' as $$
declare
  sent uuid;
  event private.delivery_events;
begin
  perform pg_advisory_xact_lock(hashtextextended(provider_message, 0));
  -- If the member is leaving at this moment, `for key share` waits for that, and then finds no message.
  select entry.id into sent from private.outbox as entry where entry.provider_id = provider_message for key share;
  for event in
    update private.delivery_events as known set delivery = sent
      where known.message = provider_message and known.delivery is null and sent is not null returning known.*
  loop
    if event.kind = 'failed' then
      -- A new id, because the provider recognizes the old one and would not send it again.
      update private.outbox as entry
        set id = gen_random_uuid(), state = 'waiting', next_try_at = clock_timestamp() + interval '1 hour', tries = 0,
          sent_at = null, provider_id = null, last_problem = 'Resend could not send it: ' || coalesce(event.problem, 'no reason')
        where entry.id = sent;
    elsif event.kind = 'bounced' and event.is_final then
      perform private.count_in_hour(bounced => 1);
    elsif event.kind = 'complained' then
      perform private.count_in_hour(complained => 1);
    end if;
  end loop;
end;
$$;

-- Records what the provider reports about a message, once for each kind of event. With a `mailbox_hash` the mailbox is never
-- mailed again, even if the message is unknown: the member may have left before the complaint arrived.
create function public.record_delivery_event(
  event_id text, provider_message text, kind text, occurred_at timestamptz, problem text, mailbox_hash text
) returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into private.never_mailed (mailbox_hash)
    select record_delivery_event.mailbox_hash where record_delivery_event.mailbox_hash is not null
    on conflict do nothing;
  insert into private.delivery_events (id, message, kind, is_final, at, problem)
    values (event_id, provider_message, record_delivery_event.kind, record_delivery_event.mailbox_hash is not null,
      coalesce(occurred_at, now()), record_delivery_event.problem)
    on conflict do nothing;
  -- After a day, an event without a delivery belongs to a member who left, or to another sender of the account.
  delete from private.delivery_events as event
    where event.delivery is null and event.received_at < now() - interval '1 day';
  perform private.match_events(provider_message);
end;
$$;

-- Lets a mailbox be mailed again: that of a member, or one that the provider no longer suppresses. Returns whether it was
-- never mailed. `retry_outbox` queues what was refused meanwhile.
create function public.forgive(email text default null, mailbox_hash text default null) returns boolean
language sql security definer set search_path = '' as $$
  with forgiven as (
    delete from private.never_mailed as known
      where known.mailbox_hash = forgive.mailbox_hash or known.mailbox_hash = (
        select member.mailbox_hash from private.members as member
        where member.email = private.normalize_email_address(forgive.email)) returning 1
  ) select exists (select from forgiven);
$$;
