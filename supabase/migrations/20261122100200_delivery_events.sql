-- Delivery truth: what the provider tells of a welcome after it took it, and whom nobody mails again.

-- One row for each event of the provider, by the identity under which the provider sends it, again and again if need be.
create table private.delivery_events (
  id text primary key,
  -- The provider's own name for the message. It may arrive before the outbox knows it, and then waits here unmatched.
  message text not null,
  delivery uuid references private.outbox (id) on update cascade on delete cascade,
  kind text not null check (kind in ('delivered', 'bounced', 'complained')),
  at timestamptz not null,
  problem text,
  received_at timestamptz not null default now()
);

create index delivery_events_delivery_idx on private.delivery_events (delivery);
create index delivery_events_returned_idx on private.delivery_events (at) where kind <> 'delivered';
create index delivery_events_unmatched_idx on private.delivery_events (message) where delivery is null;

-- Addresses that bounced for good or complained, as the function hashes them, with a secret that is not here. It outlives
-- the entry and holds nothing else: nobody can tell from it who was on the list.
create table private.never_mailed (
  address_hash text primary key
);

alter table private.delivery_events enable row level security;
alter table private.never_mailed enable row level security;

-- By the hash that stands beside the welcome.
create function private.is_never_mailed(address text) returns boolean
language sql stable
set search_path = ''
return exists (
  select from private.outbox as entry join private.never_mailed as known on known.address_hash = entry.address_hash
  where entry.address = is_never_mailed.address
);

-- Without it an event and the answer of the provider could each come too early to see the other.
create function private.lock_message(provider_message text) returns void
language sql
set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('delivery_events:' || provider_message, 0));
$$;

-- Records what the provider tells of a message, once for each event. With an `address_hash` the address is never mailed
-- again, whether the message is known or not: the member may have left before the complaint arrived.
create function public.record_delivery_event(
  event_id text, provider_message text, kind text, occurred_at timestamptz, problem text, address_hash text
) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform private.lock_message(provider_message);
  insert into private.never_mailed (address_hash)
    select record_delivery_event.address_hash where record_delivery_event.address_hash is not null
    on conflict do nothing;
  insert into private.delivery_events (id, message, delivery, kind, at, problem)
    select event_id, provider_message, (select entry.id from private.outbox as entry where entry.provider_id = provider_message),
      record_delivery_event.kind, date_trunc('milliseconds', coalesce(occurred_at, now())), record_delivery_event.problem
    on conflict do nothing;
  -- What found no welcome within a day belongs to a member who left, or to another sender of the account.
  delete from private.delivery_events as event
    where event.delivery is null and event.received_at < now() - interval '1 day';
end;
$$;
