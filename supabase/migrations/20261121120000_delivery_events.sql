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

alter table private.outbox add column address_hash text;
create index outbox_provider_id_idx on private.outbox (provider_id);

-- As before, and the outbox now knows the hash of its address. Whether the address may be mailed is looked up when its
-- welcome is leased: behind the answer, so that a visitor waits as long for either.
create or replace function public.accept_sign_up(address text, message text, caller_hash text, address_hash text, mailbox_hash text)
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

-- As before, and a welcome for an address that is never mailed again is refused here, whoever put it into the outbox.
create or replace function public.lease_welcome()
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

  update private.pace set next_delivery_at = now_is + interval '1 second' / private.limit_of('deliveries');
  return query update private.outbox as entry
    set lease = gen_random_uuid(), leased_until = now_is + interval '1 minute', tries = entry.tries + 1,
      uncertain_since = coalesce(entry.uncertain_since, now_is)
    where entry.id = due.id
    returning entry.id, entry.lease, entry.message, null::int;
end;
$$;

-- As before, and events that were faster than the answer of the provider find their welcome.
create or replace function public.record_delivery(
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
    update private.pace set next_delivery_at = greatest(next_delivery_at, now_is + make_interval(secs => retry_after));
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

-- One page of the welcomes that came back: bounced, or marked as spam by whoever got them. The oldest first.
create function public.list_returned(
  after_time timestamptz default null, after_address text default null, page_size int default 1000
) returns table (address text, kind text, problem text, sent_at timestamptz, returned_at timestamptz)
language sql stable security definer
set search_path = ''
as $$
  select entry.address, event.kind, event.problem, entry.sent_at, event.at
  from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
  where event.kind <> 'delivered'
    and (event.at, entry.address) > (coalesce(after_time, '-infinity'), coalesce(after_address, ''))
  order by event.at, entry.address limit page_size;
$$;

-- What became of one sign-up, for the probe of a deployment. Of callers it says only how many there were: those of this
-- address, and those of the other addresses of the last hour.
create function public.inspect_sign_up(address text)
returns table (
  entries int, state text, problem text, is_delivered boolean, return_kind text,
  calls int, callers int, unseen int, others int, others_alike int, limits jsonb
)
language sql stable security definer
set search_path = ''
as $$
  select
    (select count(*)::int from public.waitlist_emails as member where member.email = inspect_sign_up.address),
    welcome.state::text, welcome.last_problem,
    exists (select from private.delivery_events as event where event.delivery = welcome.id and event.kind = 'delivered'),
    (select max(event.kind) from private.delivery_events as event where event.delivery = welcome.id and event.kind <> 'delivered'),
    own.calls, own.callers, own.unseen, other.addresses, other.alike,
    (select jsonb_object_agg(entry.name, entry.value) from private.limits as entry)
  from (values (1)) as one_row
  left join private.outbox as welcome on welcome.address = inspect_sign_up.address
  cross join lateral (
    select count(*)::int as calls, count(distinct call.caller)::int as callers,
      (count(*) filter (where call.caller is null))::int as unseen, array_agg(call.caller) as hashes
    from private.calls as call where call.address = welcome.address_hash
  ) as own
  cross join lateral (
    select count(distinct call.address)::int as addresses,
      (count(distinct call.address) filter (where call.caller = any (own.hashes)))::int as alike
    from private.calls as call where call.address <> welcome.address_hash
  ) as other;
$$;

-- Removes what a probe made, its calls that count against the limits included, and what an earlier probe left behind that
-- was cut off. Of nobody else: what a probe signs up is an address of the provider's own.
create function public.forget_probe(address text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  probe private.outbox;
begin
  perform pg_advisory_xact_lock(hashtextextended('accept_sign_up', 0));
  for probe in
    select * from private.outbox as entry
    where entry.address like 'delivered+probe-%@resend.dev'
      and (entry.address = forget_probe.address or entry.accepted_at < now() - interval '1 hour')
  loop
    delete from private.calls as call where call.address = probe.address_hash;
    perform public.leave_waitlist(probe.address);
  end loop;
end;
$$;

revoke all on all functions in schema private from public;
grant execute on function private.is_email_address(text) to anon, service_role;

do $$
declare
  called regprocedure;
begin
  for called in
    select proc.oid::regprocedure from pg_proc as proc
    where proc.pronamespace = 'public'::regnamespace and proc.proname in (
      'record_delivery_event', 'list_returned', 'inspect_sign_up', 'forget_probe'
    )
  loop
    -- Older hosted projects grant new functions to the public roles by default.
    execute format('revoke all on function %s from public, anon, authenticated', called);
    execute format('grant execute on function %s to service_role', called);
  end loop;
end;
$$;
