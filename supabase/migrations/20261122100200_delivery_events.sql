-- What the provider reports about a message after accepting it.

-- One row for each event. The provider may send an event several times, always with the same id.
create table private.delivery_events (
  id text primary key,
  -- The provider's id of the message. An event may arrive before the outbox knows this id, and stays unmatched until then.
  message text not null,
  delivery uuid references private.outbox (id) on delete cascade,
  -- failed: the provider accepted the message but could not send it. suppressed: it did not try, because the address
  -- bounced or complained before, perhaps for another sender.
  kind text not null check (kind in ('delivered', 'bounced', 'complained', 'failed', 'suppressed')),
  at timestamptz not null,
  problem text,
  received_at timestamptz not null default now()
);

create index delivery_events_delivery_idx on private.delivery_events (delivery);
create index delivery_events_returned_idx on private.delivery_events (at) where kind <> 'delivered';
create index delivery_events_unmatched_idx on private.delivery_events (message) where delivery is null;
create index delivery_events_unmatched_age_idx on private.delivery_events (received_at) where delivery is null;

alter table private.delivery_events enable row level security;

-- Looks the address up by the hash that is stored with its welcome.
create function private.is_never_mailed(email text) returns boolean
language sql stable
set search_path = ''
return exists (
  select from private.outbox as entry join private.never_mailed as known on known.email_hash = entry.email_hash
  where entry.email = is_never_mailed.email and entry.announcement is null
);

-- Without this lock, an event and the provider's answer that are recorded at the same time could miss each other.
create function private.lock_message(provider_message text) returns void
language sql
set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('delivery_events:' || provider_message, 0));
$$;

-- Records what the provider reports about a message, once for each event. With an `email_hash` the address is never mailed
-- again, even if the message is unknown: the member may have left before the complaint arrived.
create function public.record_delivery_event(
  event_id text, provider_message text, kind text, occurred_at timestamptz, problem text, email_hash text
) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  delivery uuid;
begin
  perform private.lock_message(provider_message);
  insert into private.never_mailed (email_hash)
    select record_delivery_event.email_hash where record_delivery_event.email_hash is not null
    on conflict do nothing;
  -- If the member is leaving at this moment, `for key share` waits for that, and then finds no message.
  select entry.id into delivery from private.outbox as entry where entry.provider_id = provider_message for key share;
  insert into private.delivery_events values (
      event_id, provider_message, delivery,
      record_delivery_event.kind, date_trunc('milliseconds', coalesce(occurred_at, now())), record_delivery_event.problem
    )
    on conflict do nothing;
  -- After a day, an event without a delivery belongs to a member who left, or to another sender of the account.
  delete from private.delivery_events as event
    where event.delivery is null and event.received_at < now() - interval '1 day';
end;
$$;
