-- Accept, then deliver. The email function accepts an address in one call. From then on the address is on the waitlist,
-- and its welcome is sent once, whatever happens to the page, the function or the provider. The outbox contains the
-- messages that are still to be sent, and a record of those that were: welcomes, and announcements to all members.

create type private.delivery_state as enum (
  'waiting', -- to be sent, now or at next_try_at
  'sent', -- the provider accepted it
  'refused', -- the provider refused it permanently
  'unknown' -- it may or may not have been sent, and trying again could send it twice
);

create table private.announcements (
  name text primary key,
  -- The subject, html and text of the message, with blanks for what differs between members. Stored here once: an outbox
  -- row of an announcement has no message.
  message text not null,
  -- Only members who had joined by then get it.
  queued_at timestamptz not null default now(),
  -- The last address whose row is in the outbox. Null when the outbox has all rows.
  reached text,
  is_stopped boolean not null default false,
  -- A test is sent to one address, appears in no figures, and is deleted afterward.
  is_test boolean not null default false,
  constraint announcements_message_is_template check (message::jsonb ?& array['subject', 'html', 'text'])
);

create table private.outbox (
  id uuid primary key default gen_random_uuid(),
  email text not null check (private.is_email_address(email)),
  -- Null for the welcome.
  announcement text references private.announcements (name) on delete cascade deferrable initially deferred,
  email_hash text,
  -- The hash of the mailbox behind the address, kept until the welcome is sent.
  mailbox_hash text,
  -- Random, and new when a member returns. The function derives the unsubscribe token from it and its own secret, so that
  -- later messages to the same member can contain the same link. Only the hash of the token is stored.
  member_id uuid not null default gen_random_uuid(),
  unsubscribe_token_hash text unique,
  -- The exact body of the call to the provider, stored when the address is accepted: the provider recognizes a repeated
  -- call only if both bodies are the same. The body of an announcement is composed from the row, and is the same for
  -- every attempt.
  message text,
  state private.delivery_state not null default 'waiting',
  accepted_at timestamptz not null default now(),
  -- How many sign-ups the same caller made shortly before. Lower turns go first: each caller's first welcome is sent before
  -- anybody's second, so a stranger who fills the outbox hardly delays anybody else.
  turn int not null default 0,
  next_try_at timestamptz not null default now(),
  -- When the first try began that may have succeeded without our knowing. The provider forgets the idempotency key after
  -- 24 hours.
  uncertain_since timestamptz,
  tries int not null default 0,
  -- How many times the provider blocked this message.
  blocks int not null default 0,
  lease uuid,
  leased_until timestamptz,
  sent_at timestamptz,
  provider_id text,
  last_problem text,
  -- One welcome for each address, and each announcement once.
  constraint outbox_email_announcement_key unique nulls not distinct (email, announcement),
  constraint outbox_message_until_sent check (message is not null or state = 'sent' or announcement is not null)
);

create index outbox_turn_idx on private.outbox (turn, next_try_at) where state = 'waiting' and announcement is null;
create index outbox_next_try_at_idx on private.outbox (next_try_at) where state = 'waiting' and announcement is null;
create index outbox_announcement_idx on private.outbox (announcement, next_try_at) where state = 'waiting' and announcement is not null;
create index outbox_uncertain_idx on private.outbox (uncertain_since) where state = 'waiting' and uncertain_since is not null;
create index outbox_unsent_idx on private.outbox (accepted_at, email) where state <> 'sent';
create index outbox_provider_id_idx on private.outbox (provider_id) where provider_id is not null;
create index outbox_email_hash_idx on private.outbox (email_hash);

-- Addresses that bounced permanently or complained, hashed by the function with a secret that the database does not have.
-- A row outlives its member. It contains nothing but the hash, so nobody can tell from it who was on the list.
create table private.never_mailed (
  email_hash text primary key
);

-- The messages of announcements that have no row yet. A million rows take longer than the 8 seconds of the data API, so
-- queue_announcement adds none, and lease_delivery adds them when their turn comes.
create view private.pending as
  select
    -- A message keeps its id, even after a restore, because the provider recognizes it by its id.
    md5(announcement.name || welcome.member_id)::uuid as id, welcome.email, announcement.name as announcement, welcome.email_hash,
    null::text as mailbox_hash, welcome.member_id, null::text as unsubscribe_token_hash, null::text as message,
    'waiting'::private.delivery_state as state, announcement.queued_at as accepted_at, 0 as turn, announcement.queued_at as next_try_at,
    null::timestamptz as uncertain_since, 0 as tries, 0 as blocks, null::uuid as lease, null::timestamptz as leased_until,
    null::timestamptz as sent_at, null::text as provider_id, null::text as last_problem
  from private.announcements as announcement
  join private.outbox as welcome on welcome.announcement is null
    and welcome.email > announcement.reached and welcome.accepted_at <= announcement.queued_at
  where not exists (select from private.outbox as entry where entry.email = welcome.email and entry.announcement = announcement.name)
    and not exists (select from private.never_mailed as known where known.email_hash = welcome.email_hash);

-- The rows that the owner sees: all but tests.
create view private.counted_outbox as
  select * from private.outbox as entry
  where not exists (select from private.announcements as test where test.name = entry.announcement and test.is_test);

-- The messages that the owner sees and a backup contains.
create view private.messages as
  select * from private.counted_outbox union all select * from private.pending;

-- The calls of the last hour, for the limits per caller. The function makes all hashes, with a secret that the database does
-- not have. caller_hash is null while CALLER_HEADER is not set. network_hash is null for IPv4.
create table private.calls (
  at timestamptz not null default clock_timestamp(),
  caller_hash text,
  network_hash text,
  email_hash text not null,
  mailbox_hash text not null
);

create index calls_at_idx on private.calls (at);
create index calls_caller_idx on private.calls (caller_hash, at) where caller_hash is not null;
create index calls_network_idx on private.calls (network_hash, at) where network_hash is not null;

-- How many calls were accepted in each hour, for the limits on all callers together. Counting rows of private.calls would
-- take longer the more people sign up. Connections are spread over slots, so that they do not all wait for one row.
create table private.accepted_calls (
  hour timestamptz not null,
  slot int not null,
  known_callers int not null default 0,
  unknown_callers int not null default 0,
  primary key (hour, slot)
);

-- The mailboxes that were sent a welcome in the last hour. A mailbox is an address without tags and dots.
create table private.mailbox_deliveries (
  delivery uuid primary key,
  mailbox_hash text not null,
  at timestamptz not null
);

create index mailbox_deliveries_mailbox_idx on private.mailbox_deliveries (mailbox_hash, at);
create index mailbox_deliveries_at_idx on private.mailbox_deliveries (at);

-- Unsubscribe tokens that were used in the last ten minutes, so that a second click gets the same answer as the first.
create table private.used_tokens (
  token_hash text primary key,
  email_hash text,
  used_at timestamptz not null default now()
);

-- The limits can be changed with an update, without a migration.
create table private.limits (
  name text primary key,
  value int not null,
  -- The sensible range: a smaller value would turn visitors away, a larger one would limit nothing.
  lowest int not null,
  highest int not null,
  meaning text not null,
  constraint limits_value_is_sensible check (value between lowest and highest)
);

insert into private.limits (name, value, lowest, highest, meaning) values
  ('caller_addresses', 60, 2, 1000, 'Different addresses an hour from one caller: an IPv4 address or an IPv6 /64.'),
  -- A /48 belongs to one site or to a part of a provider, so it gets five times the limit of a caller.
  ('network_calls', 300, 2, 5000, 'Sign-ups an hour from one IPv6 /48.'),
  ('mailbox_calls', 5, 2, 100, 'Sign-ups an hour from one caller for one mailbox (tags and dots ignored).'),
  ('addresses', 3000, 10, 100000, 'Sign-ups an hour from all callers together.'),
  -- Without CALLER_HEADER, all callers may be the same attacker. Resend's free plan sends 100 messages a day and 3,000 a
  -- month. With a higher limit, a stranger could use up the quota, and real welcomes would wait for weeks.
  ('unknown_callers', 100, 10, 100000, 'Sign-ups a day (UTC) while CALLER_HEADER is not set.'),
  ('mailbox_deliveries', 5, 1, 100, 'Welcomes an hour to one mailbox (tags and dots ignored). The rest wait for the next hour.'),
  -- One run of the function lasts at most a minute and sends at most 400 messages.
  ('deliveries', 2, 1, 6, 'Messages a second that are handed to the provider.');

-- One row for all deliveries: when the next message may be passed to the provider, and which messages the provider has
-- blocked since it last accepted one.
create table private.pace (
  only_row boolean primary key default true check (only_row),
  next_delivery_at timestamptz not null default now(),
  blocked uuid[] not null default '{}'
);

insert into private.pace default values;

alter table private.announcements enable row level security;
alter table private.outbox enable row level security;
alter table private.never_mailed enable row level security;
alter table private.calls enable row level security;
alter table private.accepted_calls enable row level security;
alter table private.mailbox_deliveries enable row level security;
alter table private.used_tokens enable row level security;
alter table private.limits enable row level security;
alter table private.pace enable row level security;

create function private.limit_of(limit_name text) returns int
language sql stable
set search_path = ''
return (select value from private.limits where name = limit_name);

-- Signing up and unsubscribing with the same address must not interleave, or the list and the outbox would differ. Other addresses
-- do not wait.
create function private.lock_email(email text) returns void
language sql
set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('email:' || email, 0));
$$;

-- Accepts an address: puts it on the waitlist and its welcome into the outbox, both or neither. Returns `accepted` for
-- new and known addresses, or `limited` with the seconds until the caller may try again, in whole minutes.
-- Limits depend on the caller's own calls, or are the same for everybody: a limit on an address or a mailbox would tell
-- strangers who signed up. Simultaneous calls may exceed a limit, by one for each connection.
create function public.accept_sign_up(
  email text, message text, member_id uuid, unsubscribe_token_hash text,
  caller_hash text, network_hash text, email_hash text, mailbox_hash text
) returns table (outcome text, retry_after int)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  now_is constant timestamptz := clock_timestamp();
  hour_ago constant timestamptz := now_is - interval '1 hour';
  this_hour constant timestamptz := date_trunc('hour', now_is, 'UTC');
  today constant timestamptz := date_trunc('day', now_is, 'UTC');
  accepted_this_hour bigint;
  earlier bigint;
  free_at timestamptz;
begin
  -- A limit allows calls again as soon as enough of the counted calls are more than an hour old.
  select max(limited.free_at) into free_at from (
    (select call.at + interval '1 hour' as free_at
      from private.calls as call
      where call.caller_hash = accept_sign_up.caller_hash and call.at > hour_ago and call.mailbox_hash = accept_sign_up.mailbox_hash
      order by call.at desc offset private.limit_of('mailbox_calls') - 1 limit 1)
    union all
    (select latest.at + interval '1 hour'
      from (select max(call.at) as at from private.calls as call
        where call.caller_hash = accept_sign_up.caller_hash and call.at > hour_ago
          and call.email_hash <> accept_sign_up.email_hash
        group by call.email_hash) as latest
      order by latest.at desc offset private.limit_of('caller_addresses') - 1 limit 1)
    union all
    (select call.at + interval '1 hour'
      from private.calls as call
      where call.network_hash = accept_sign_up.network_hash and call.at > hour_ago
      order by call.at desc offset private.limit_of('network_calls') - 1 limit 1)
  ) as limited;
  select coalesce(sum(counted.known_callers + counted.unknown_callers), 0) into accepted_this_hour
    from private.accepted_calls as counted where counted.hour = this_hour;
  if accepted_this_hour >= private.limit_of('addresses') then
    free_at := greatest(free_at, this_hour + interval '1 hour');
  end if;
  if accept_sign_up.caller_hash is null then
    select coalesce(sum(counted.unknown_callers), 0) into earlier
      from private.accepted_calls as counted where counted.hour >= today;
    if earlier >= private.limit_of('unknown_callers') then
      free_at := greatest(free_at, today + interval '1 day');
    end if;
  else
    select count(*) into earlier from private.calls as call
      where call.caller_hash = accept_sign_up.caller_hash and call.at > hour_ago;
  end if;
  if free_at is not null then
    return query select 'limited', greatest(1, ceil(extract(epoch from free_at - now_is) / 60)::int) * 60;
    return;
  end if;

  perform private.lock_email(accept_sign_up.email);
  insert into private.outbox (email, message, member_id, unsubscribe_token_hash, email_hash, mailbox_hash, turn)
    values (
      accept_sign_up.email, accept_sign_up.message, accept_sign_up.member_id, accept_sign_up.unsubscribe_token_hash,
      accept_sign_up.email_hash, accept_sign_up.mailbox_hash, earlier
    )
    on conflict (email, announcement) do nothing;
  insert into public.waitlist_emails (email, source, accepted) values (accept_sign_up.email, 'landing_page', true)
    on conflict (email) where accepted do nothing;
  insert into private.calls (caller_hash, network_hash, email_hash, mailbox_hash)
    values (accept_sign_up.caller_hash, accept_sign_up.network_hash, accept_sign_up.email_hash, accept_sign_up.mailbox_hash);
  -- Last, because the row stays locked until the end of the transaction.
  insert into private.accepted_calls as counted (hour, slot, known_callers, unknown_callers)
    values (
      this_hour, pg_backend_pid() % 32,
      (accept_sign_up.caller_hash is not null)::int, (accept_sign_up.caller_hash is null)::int
    )
    on conflict (hour, slot) do update set
      known_callers = counted.known_callers + excluded.known_callers,
      unknown_callers = counted.unknown_callers + excluded.unknown_callers;
  return query select 'accepted', null::int;
end;
$$;

-- Adds the rows of an announcement for the next members, in the order of their addresses.
create function private.add_messages(announcement text) returns void
language plpgsql
set search_path = ''
as $$
declare
  page_start text;
  page_end text;
begin
  select queued.reached into page_start from private.announcements as queued where queued.name = add_messages.announcement for update;
  -- Waits for members who are leaving. Otherwise a message could be added for one who has just left.
  perform pg_advisory_xact_lock(hashtextextended('announcements', 0));
  select max(page.email) into page_end from (
    select welcome.email from private.outbox as welcome
      where welcome.announcement is null and welcome.email > page_start order by welcome.email limit 5000
  ) as page;
  insert into private.outbox
    select pending.* from private.pending as pending
    where pending.announcement = add_messages.announcement and pending.email > page_start and pending.email <= page_end;
  update private.announcements as queued set reached = page_end where queued.name = add_messages.announcement;
  -- Otherwise the planner expects hardly any rows of announcements, and counting a million members takes minutes.
  analyze private.outbox;
end;
$$;

-- Leases the next message and sets the time of the next delivery. Welcomes come first, then tests, then announcements that
-- are not stopped, oldest first. A welcome has a `message`. An announcement has a `template` to fill for `email` and
-- `member_id`; it is null if the caller already has the one with this hash. `wait` is the number of milliseconds until the
-- next lease. If nothing can be sent now, everything else is null. Returns no row if nothing waits.
create function public.lease_delivery(known_template text default null)
returns table (
  id uuid, lease uuid, message text, email text, member_id uuid, template text, template_hash text, wait int
)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  now_is constant timestamptz := clock_timestamp();
  hour_ago constant timestamptz := now_is - interval '1 hour';
  spacing interval := interval '1 second' / private.limit_of('deliveries');
  next_at timestamptz;
  due private.outbox;
  held_until timestamptz;
begin
  select pace.next_delivery_at into next_at from private.pace as pace for update;
  delete from private.calls as call where call.at < hour_ago;
  delete from private.accepted_calls as counted where counted.hour < now_is - interval '2 days';
  delete from private.mailbox_deliveries as earlier where earlier.at < hour_ago;
  delete from private.used_tokens as used where used.used_at < now_is - interval '10 minutes';
  -- Deletes an upload that was interrupted. A complete one is restored before anything is sent.
  delete from private.restored as part where part.uploaded_at < now_is - interval '1 day' and not part.is_complete;
  if exists (select from private.restored as part where part.is_complete) then
    perform public.restore_part();
    wait := 1;
    return next;
    return;
  end if;

  -- An announcement needs more rows. This call only adds them and leases nothing: it waits for members who are leaving,
  -- and they might be waiting for a message that it had locked.
  perform private.add_messages(running.name) from private.announcements as running
    where running.reached is not null and not running.is_stopped and not exists (
      select from private.outbox as entry
      where entry.state = 'waiting' and entry.announcement = running.name
        and entry.next_try_at <= now_is and coalesce(entry.leased_until, '-infinity') < now_is)
    limit 1;
  if found then
    wait := 1;
    return next;
    return;
  end if;

  -- After a day the provider has forgotten the key, so another try could arrive as a second message.
  update private.outbox as entry set state = 'unknown', lease = null, leased_until = null
    where entry.state = 'waiting' and entry.uncertain_since < now_is - interval '23 hours'
      and coalesce(entry.leased_until, '-infinity') < now_is;

  -- Bounded, so that a lease stays fast however many messages it skips.
  for skipped in 1..100 loop
    exit when next_at > now_is;
    -- Skips what is locked: a member is leaving, or an earlier delivery is recording its outcome.
    select * into due from private.outbox as entry
      where entry.state = 'waiting' and entry.announcement is null
        and entry.next_try_at <= now_is and coalesce(entry.leased_until, '-infinity') < now_is
      order by entry.turn, entry.next_try_at limit 1 for update skip locked;
    if due.id is null then
      -- One index lookup for each announcement that runs: a stopped one may have any number of waiting rows.
      select entry.* into due
        from private.announcements as running
        cross join lateral (
          select * from private.outbox as entry
          where entry.state = 'waiting' and entry.announcement = running.name
            and entry.next_try_at <= now_is and coalesce(entry.leased_until, '-infinity') < now_is
          order by entry.next_try_at limit 1 for update skip locked
        ) as entry
        where not running.is_stopped
        order by running.is_test desc, running.queued_at limit 1;
    end if;
    exit when due.id is null;

    -- Checked here and not at the sign-up, where the visitor would have to wait for it.
    if exists (select from private.never_mailed as known where known.email_hash = due.email_hash) then
      update private.outbox as entry
        set state = 'refused', lease = null, leased_until = null, last_problem = 'bounced or complained before: never mailed again'
        where entry.id = due.id;
      continue;
    end if;

    -- Waiting for this does not count as an attempt, and does not delay other messages.
    if due.announcement is null then
      -- Protects a mailbox from a stranger who signs up many spellings of its address.
      select earlier.at + interval '1 hour' into held_until from private.mailbox_deliveries as earlier
        where earlier.mailbox_hash = due.mailbox_hash and earlier.delivery <> due.id
        order by earlier.at desc offset private.limit_of('mailbox_deliveries') - 1 limit 1;
    else
      -- A member whose welcome must be tried again gets the announcement after it.
      select now_is + interval '1 minute' into held_until from private.outbox as welcome
        where welcome.email = due.email and welcome.announcement is null and welcome.state = 'waiting';
    end if;
    if held_until is not null then
      update private.outbox as entry set next_try_at = held_until where entry.id = due.id;
      continue;
    end if;

    -- Makes up for a lease that comes a little late, so that the pace does not depend on how long a lease takes.
    spacing := spacing - least(now_is - next_at, spacing / 2);
    update private.pace set next_delivery_at = now_is + spacing where only_row;
    insert into private.mailbox_deliveries (delivery, mailbox_hash, at)
      select due.id, due.mailbox_hash, now_is where due.mailbox_hash is not null
      on conflict (delivery) do update set at = excluded.at;
    update private.outbox as entry
      set lease = gen_random_uuid(), leased_until = now_is + interval '1 minute', tries = entry.tries + 1,
        uncertain_since = coalesce(entry.uncertain_since, now_is)
      where entry.id = due.id
      returning entry.id, entry.lease, entry.message, entry.email, entry.member_id into id, lease, message, email, member_id;
    select announcement.message, md5(announcement.message) into template, template_hash
      from private.announcements as announcement where announcement.name = due.announcement;
    if template_hash = known_template then
      template := null;
    end if;
    wait := extract(epoch from spacing) * 1000;
    return next;
    return;
  end loop;

  select greatest(1, ceil(extract(epoch from greatest(next_at, min(waiting.next_try_at)) - now_is) * 1000)::int) into wait
    from (
      (select entry.next_try_at from private.outbox as entry
        where entry.state = 'waiting' and entry.announcement is null and coalesce(entry.leased_until, '-infinity') < now_is
        order by entry.next_try_at limit 1)
      union all
      select entry.next_try_at
        from private.announcements as running
        cross join lateral (
          select entry.next_try_at from private.outbox as entry
          where entry.state = 'waiting' and entry.announcement = running.name and coalesce(entry.leased_until, '-infinity') < now_is
          order by entry.next_try_at limit 1
        ) as entry
        where not running.is_stopped
    ) as waiting
    having count(*) > 0;
  if found then
    return next;
  end if;
end;
$$;

-- Records how a leased delivery ended:
--   sent       the provider accepted the message
--   refused    the provider refused it permanently
--   postponed  the provider accepts nothing for `retry_after` seconds (rate limit, quota, no connection): all messages wait
--   blocked    the provider refused it with 401 or 403: it waits, and others are sent. After three different ones in a row,
--              the key or the sender must be wrong, and all messages wait
--   failed     the outcome is unknown: it is tried again under the same key
-- Only `failed` counts as a try. `sent` is recorded even if the lease has expired.
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
    -- The provider has accepted the API key.
    update private.pace set blocked = '{}' where blocked <> '{}';
    update private.outbox as entry
      set state = 'sent', sent_at = now_is, provider_id = provider_message, message = null, mailbox_hash = null,
        lease = null, leased_until = null, uncertain_since = null, last_problem = null
      where entry.id = record_delivery.delivery and entry.state <> 'sent';
    if found then
      update private.delivery_events as event set delivery = record_delivery.delivery
        where event.message = provider_message and event.delivery is null;
    end if;
  else
    -- Locks the pace before the message, in the same order as a lease, so that the two cannot deadlock.
    if outcome = 'postponed' then
      update private.pace set next_delivery_at = greatest(next_delivery_at, now_is + make_interval(secs => retry_after))
        where only_row;
    elsif outcome = 'refused' then
      update private.pace set blocked = '{}' where blocked <> '{}';
    elsif outcome = 'blocked' then
      update private.pace set blocked = blocked || delivery
        where delivery <> all (blocked) and cardinality(blocked) < 3;
      update private.pace set next_delivery_at = greatest(next_delivery_at, now_is + interval '5 minutes')
        where cardinality(blocked) = 3;
    end if;
    update private.outbox as entry
      set state = case when outcome = 'refused' then 'refused'::private.delivery_state else 'waiting' end,
        tries = case when outcome in ('postponed', 'blocked') then entry.tries - 1 else entry.tries end,
        blocks = case when outcome = 'blocked' then entry.blocks + 1 else entry.blocks end,
        -- After all other welcomes, because the provider may accept those.
        turn = case when outcome = 'blocked' then 1000000 else entry.turn end,
        -- Only a first try proves that the provider has not accepted the message: an earlier try may have succeeded.
        uncertain_since = case when outcome <> 'failed' and entry.tries <= 1 then null else entry.uncertain_since end,
        next_try_at = now_is + case outcome
          when 'postponed' then make_interval(secs => retry_after)
          when 'blocked' then least(interval '5 minutes' * power(2, least(entry.blocks, 10)), interval '1 hour')
          when 'failed' then least(interval '5 seconds' * power(2, least(entry.tries, 20) - 1), interval '15 minutes')
          else interval '0'
        end,
        lease = null, leased_until = null, last_problem = problem
      where entry.id = record_delivery.delivery and entry.lease = held_lease;
    if found and outcome <> 'failed' then
      delete from private.mailbox_deliveries as earlier where earlier.delivery = record_delivery.delivery;
    end if;
  end if;
end;
$$;

-- Removes an address from the list and the outbox; returns whether it was there.
create function private.remove_email(email text) returns boolean
language plpgsql
set search_path = ''
as $$
declare
  was_accepted boolean;
  was_listed boolean;
begin
  perform private.lock_email(remove_email.email);
  -- Waits while add_messages adds one for this member.
  perform pg_advisory_xact_lock_shared(hashtextextended('announcements', 0));
  delete from private.outbox as entry where entry.email = remove_email.email;
  was_accepted := found;
  delete from public.waitlist_emails as entry where entry.email = remove_email.email and entry.accepted;
  was_listed := found;
  return was_accepted or was_listed;
end;
$$;

-- Unsubscribes the member with this token. `has_left` is false if nobody has it: the member left more than ten minutes ago, or
-- came back and has another token.
create function public.leave_waitlist(token_hash text) returns table (has_left boolean)
language plpgsql security definer
set search_path = ''
as $$
declare
  member_email text;
  member_hash text;
begin
  delete from private.used_tokens as used where used.used_at < now() - interval '10 minutes';
  select entry.email, entry.email_hash into member_email, member_hash from private.outbox as entry
    where entry.unsubscribe_token_hash = leave_waitlist.token_hash;
  if found then
    perform private.lock_email(member_email);
    -- Checked again under the lock, because the member may have left and come back in the meantime.
    perform from private.outbox as entry where entry.unsubscribe_token_hash = leave_waitlist.token_hash;
    if found then
      perform private.remove_email(member_email);
      insert into private.used_tokens values (leave_waitlist.token_hash, member_hash) on conflict do nothing;
    end if;
  end if;
  return query select exists (select from private.used_tokens as used where used.token_hash = leave_waitlist.token_hash
    and not exists (select from private.outbox as entry where entry.email_hash = used.email_hash));
end;
$$;

-- Makes the database of a hosted project call the function every minute, so that no welcome waits for the next visitor.
-- If the extensions are missing, it says what to do and changes nothing.
create function private.schedule_delivery(function_url text, public_key text) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_cron', 'pg_net')) = 2 then
    create extension if not exists pg_cron;
    -- Not in "public", which the data API serves.
    create extension if not exists pg_net with schema extensions;
  end if;
  if to_regnamespace('cron') is null or to_regnamespace('net') is null then
    raise notice 'This database has no pg_cron or no pg_net. Set up something else that calls %/deliver every minute.', function_url;
    return false;
  end if;
  -- This replaces a job of the same name.
  perform cron.schedule(
    'deliver-welcomes',
    '* * * * *',
    format(
      'select net.http_post(url := %L, headers := %L::jsonb, body := %L::jsonb)',
      function_url || '/deliver',
      jsonb_build_object('Content-Type', 'application/json', 'apikey', public_key),
      '{}'
    )
  );
  -- Nothing else deletes rows from this log, and it grows by about 500,000 rows a year.
  perform cron.schedule(
    'prune-cron-log',
    '23 4 * * *',
    'delete from cron.job_run_details where end_time < now() - interval ''7 days'''
  );
  return true;
end;
$$;
