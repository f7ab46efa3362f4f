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
  is_final boolean not null, -- a permanent bounce and not a temporary one, for example: never mailed again
  at timestamptz not null default now(), -- when we were told
  problem text,
  unique (message, kind, is_final)
);
create index delivery_events_delivery_idx on private.delivery_events (delivery);
create index delivery_events_returned_idx on private.delivery_events (at, id) where kind <> 'delivered';
create index delivery_events_unmatched_idx on private.delivery_events (at) where delivery is null;
