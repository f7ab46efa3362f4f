-- Accept, then deliver: the outbox is at once the list of welcomes still to be sent and the ledger of all that were.
-- The e-mail function accepts an address in one call; from then on the address is on the waitlist, and its welcome
-- goes out once, whatever happens to the page, the function or the provider.

create type private.delivery_state as enum (
  'waiting', -- to be sent, now or at next_try_at
  'sent', -- the provider took it
  'refused', -- the provider refused it for good
  'unknown' -- it may or may not have been sent, and trying again could send it twice
);

create table private.outbox (
  id uuid primary key default gen_random_uuid(),
  address text not null unique check (private.is_email_address(address)),
  address_hash text,
  -- The body of the call to the provider, fixed to the letter when the address is accepted: the provider takes a
  -- second try for the first only if both are the same.
  message text,
  state private.delivery_state not null default 'waiting',
  accepted_at timestamptz not null default now(),
  next_try_at timestamptz not null default now(),
  -- Since when the provider may have taken the message without our knowing. It forgets the key after 24 hours.
  uncertain_since timestamptz,
  tries int not null default 0,
  lease uuid,
  leased_until timestamptz,
  sent_at timestamptz,
  provider_id text,
  last_problem text,
  constraint outbox_message_until_sent check (message is not null or state = 'sent')
);

create index outbox_waiting_idx on private.outbox (next_try_at) where state = 'waiting';
create index outbox_unsent_idx on private.outbox (accepted_at, address) where state <> 'sent';
create index outbox_provider_id_idx on private.outbox (provider_id);

-- What the limits count. Callers, addresses and mailboxes are hashed by the function, with a secret that is not here.
create table private.calls (
  at timestamptz not null default clock_timestamp(),
  caller text,
  address text not null,
  mailbox text not null
);

create index calls_at_idx on private.calls (at);
create index calls_caller_idx on private.calls (caller, at);
create index calls_mailbox_idx on private.calls (mailbox, at);

-- Changed by an update, without a migration.
create table private.limits (
  name text primary key,
  value int not null check (value > 0),
  meaning text not null
);

insert into private.limits (name, value, meaning) values
  ('caller_addresses', 60, 'Different addresses an hour from one caller.'),
  ('mailbox_calls', 5, 'Calls an hour for one mailbox, tags and dots seen through.'),
  ('addresses', 3000, 'Different addresses an hour in all.'),
  ('deliveries', 2, 'Welcomes a second that are handed to the provider.');

-- One row: when the next welcome may be handed to the provider, by whoever delivers.
create table private.pace (
  only_row boolean primary key default true check (only_row),
  next_delivery_at timestamptz not null default now()
);

insert into private.pace default values;

alter table private.outbox enable row level security;
alter table private.calls enable row level security;
alter table private.limits enable row level security;
alter table private.pace enable row level security;

create function private.limit_of(limit_name text) returns int
language sql stable
set search_path = ''
return (select value from private.limits where name = limit_name);

-- Accepts an address: puts it on the waitlist and its welcome into the outbox, both or neither.
-- Says `accepted` for a new and for a known address alike, or `limited` with the seconds until it may be tried again.
create function public.accept_sign_up(address text, message text, caller_hash text, address_hash text, mailbox_hash text)
returns table (outcome text, retry_after int)
language plpgsql security definer
set search_path = ''
as $$
declare
  hour_ago constant timestamptz := clock_timestamp() - interval '1 hour';
  free_at timestamptz;
begin
  -- One after the other: counting and adding must not interleave. It takes a millisecond or two.
  perform pg_advisory_xact_lock(hashtextextended('accept_sign_up', 0));
  delete from private.calls as call where call.at < hour_ago;

  -- Each limit is free again when enough of the oldest calls that count have left the hour.
  select max(limited.free_at) into free_at from (
    (select call.at + interval '1 hour' as free_at
      from private.calls as call
      where call.mailbox = mailbox_hash
      order by call.at desc offset private.limit_of('mailbox_calls') - 1 limit 1)
    union all
    (select latest.at + interval '1 hour'
      from (select max(call.at) as at from private.calls as call
        where call.caller = caller_hash and call.address <> address_hash group by call.address) as latest
      order by latest.at desc offset private.limit_of('caller_addresses') - 1 limit 1)
    union all
    (select latest.at + interval '1 hour'
      from (select max(call.at) as at from private.calls as call
        where call.address <> address_hash group by call.address) as latest
      order by latest.at desc offset private.limit_of('addresses') - 1 limit 1)
  ) as limited;
  if free_at is not null then
    return query select 'limited', greatest(1, ceil(extract(epoch from free_at - clock_timestamp()))::int);
    return;
  end if;

  insert into private.calls (caller, address, mailbox) values (caller_hash, address_hash, mailbox_hash);
  insert into private.outbox (address, message, address_hash)
    values (accept_sign_up.address, accept_sign_up.message, accept_sign_up.address_hash)
    on conflict on constraint outbox_address_key do nothing;
  insert into public.waitlist_emails (email, source) values (accept_sign_up.address, 'landing_page');
  return query select 'accepted', null::int;
end;
$$;

-- Leases the welcome that has waited longest, and takes its place in the pace of all deliveries.
-- Without a welcome to send now it says how many milliseconds to wait for the next one, if there is any. A welcome for an
-- address that is never mailed again is refused here, behind the answer, so that every visitor waits as long.
create function public.lease_welcome()
returns table (id uuid, lease uuid, message text, wait int)
language plpgsql security definer
set search_path = ''
as $$
declare
  now_is constant timestamptz := clock_timestamp();
  slot timestamptz;
  due private.outbox;
begin
  select pace.next_delivery_at into slot from private.pace as pace for update;
  delete from private.calls as call where call.at < now_is - interval '1 hour';

  -- After a day the provider has forgotten the key: another try could arrive as a second message.
  update private.outbox as entry set state = 'unknown', lease = null, leased_until = null
    where entry.state = 'waiting' and entry.uncertain_since < now_is - interval '23 hours'
      and coalesce(entry.leased_until, '-infinity') < now_is;

  loop
    select * into due from private.outbox as entry
      where entry.state = 'waiting' and coalesce(entry.leased_until, '-infinity') < now_is
      order by entry.next_try_at limit 1;
    exit when not exists (select from private.never_mailed as known where known.address_hash = due.address_hash);
    update private.outbox as entry
      set state = 'refused', lease = null, leased_until = null, last_problem = 'bounced or complained before: never mailed again'
      where entry.id = due.id;
  end loop;
  if due.id is null then return; end if;
  if greatest(slot, due.next_try_at) > now_is then
    return query select null::uuid, null::uuid, null::text,
      ceil(extract(epoch from greatest(slot, due.next_try_at) - now_is) * 1000)::int;
    return;
  end if;

  update private.pace set next_delivery_at = now_is + interval '1 second' / private.limit_of('deliveries') where only_row;
  return query update private.outbox as entry
    set lease = gen_random_uuid(), leased_until = now_is + interval '1 minute', tries = entry.tries + 1,
      uncertain_since = coalesce(entry.uncertain_since, now_is)
    where entry.id = due.id
    returning entry.id, entry.lease, entry.message, null::int;
end;
$$;

-- Records how a leased delivery ended:
--   sent       the provider took the message
--   refused    the provider refused it for good
--   postponed  the provider did not take it and will later (a rate, a quota, a key that is not valid): no attempt at all
--   failed     nobody knows: tried again under the same key
-- A lease that is no longer held is recorded all the same when it was sent.
create function public.record_delivery(
  delivery uuid, held_lease uuid, outcome text, provider_message text, problem text, retry_after int
) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  now_is constant timestamptz := clock_timestamp();
begin
  if outcome = 'sent' then
    perform private.lock_message(provider_message);
    update private.outbox as entry
      set state = 'sent', sent_at = now_is, provider_id = provider_message, message = null,
        lease = null, leased_until = null, uncertain_since = null, last_problem = null
      where entry.id = record_delivery.delivery and entry.state <> 'sent';
    if found then
      update private.delivery_events as event set delivery = record_delivery.delivery
        where event.message = provider_message and event.delivery is null;
    end if;
    return;
  end if;
  if outcome = 'postponed' then
    update private.pace set next_delivery_at = greatest(next_delivery_at, now_is + make_interval(secs => retry_after))
      where only_row;
  end if;
  update private.outbox as entry
    set state = case when outcome = 'refused' then 'refused'::private.delivery_state else 'waiting' end,
      tries = case when outcome = 'postponed' then entry.tries - 1 else entry.tries end,
      -- Only the first try can tell that nothing was taken: an earlier one may have been.
      uncertain_since = case when outcome <> 'failed' and entry.tries <= 1 then null else entry.uncertain_since end,
      next_try_at = now_is + case outcome
        when 'postponed' then make_interval(secs => retry_after)
        when 'failed' then least(interval '5 seconds' * power(2, entry.tries - 1), interval '15 minutes')
        else interval '0'
      end,
      lease = null, leased_until = null, last_problem = problem
    where entry.id = record_delivery.delivery and entry.lease = held_lease;
end;
$$;

-- Removes an address from list and outbox. Says nothing of whether it was there.
create function public.leave_waitlist(address text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('accept_sign_up', 0));
  delete from private.outbox as entry where entry.address = private.normalize_email_address(leave_waitlist.address);
  delete from public.waitlist_emails as entry where entry.email = private.normalize_email_address(leave_waitlist.address);
end;
$$;

-- Has the database call the function every minute, so that no welcome waits for the next visitor. For a hosted
-- project: where the extensions are missing it says so and changes nothing, and something else has to call.
create function private.schedule_delivery(function_url text, public_key text) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  if to_regnamespace('cron') is null or to_regnamespace('net') is null then
    raise notice 'pg_cron and pg_net are not there: enable both, or call %/deliver every minute from elsewhere.', function_url;
    return false;
  end if;
  execute format(
    'select cron.schedule(%L, %L, %L)',
    'deliver-welcomes',
    '* * * * *',
    format(
      'select net.http_post(url := %L, headers := %L::jsonb, body := %L::jsonb)',
      function_url || '/deliver',
      jsonb_build_object('Content-Type', 'application/json', 'apikey', public_key),
      '{}'
    )
  );
  return true;
end;
$$;
