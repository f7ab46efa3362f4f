-- The current definition of everything in the database, for reading and for reviews.
-- Generated from the migrated database by tests/database/schema.test.ts. Change the migrations instead, then run:
--   npx vitest run --config tests/vitest.config.ts tests/database/schema.test.ts -u

-- Types

create type private.delivery_state as enum ('waiting', 'sent', 'refused', 'unknown');

-- Tables

create table private.accepted_calls (
  hour timestamp with time zone not null,
  slot integer not null,
  known_callers integer not null default 0,
  unknown_callers integer not null default 0,
  constraint accepted_calls_pkey PRIMARY KEY (hour, slot)
);
alter table private.accepted_calls enable row level security;

create table private.announcements (
  name text not null,
  message text not null,
  queued_at timestamp with time zone not null default now(),
  reached text,
  is_stopped boolean not null default false,
  is_test boolean not null default false,
  constraint announcements_message_is_template CHECK (((message)::jsonb ?& ARRAY['subject'::text, 'html'::text, 'text'::text])),
  constraint announcements_pkey PRIMARY KEY (name)
);
alter table private.announcements enable row level security;

create table private.calls (
  at timestamp with time zone not null default clock_timestamp(),
  caller_hash text,
  network_hash text,
  email_hash text not null,
  mailbox_hash text not null
);
alter table private.calls enable row level security;

create table private.delivery_events (
  id text not null,
  message text not null,
  delivery uuid,
  kind text not null,
  at timestamp with time zone not null,
  problem text,
  received_at timestamp with time zone not null default now(),
  constraint delivery_events_delivery_fkey FOREIGN KEY (delivery) REFERENCES private.outbox(id) ON DELETE CASCADE,
  constraint delivery_events_kind_check CHECK ((kind = ANY (ARRAY['delivered'::text, 'bounced'::text, 'complained'::text, 'failed'::text, 'suppressed'::text]))),
  constraint delivery_events_pkey PRIMARY KEY (id)
);
alter table private.delivery_events enable row level security;

create table private.limits (
  name text not null,
  value integer not null,
  lowest integer not null,
  highest integer not null,
  meaning text not null,
  constraint limits_pkey PRIMARY KEY (name),
  constraint limits_value_is_sensible CHECK (((value >= lowest) AND (value <= highest)))
);
alter table private.limits enable row level security;

create table private.mailbox_deliveries (
  delivery uuid not null,
  mailbox_hash text not null,
  at timestamp with time zone not null,
  constraint mailbox_deliveries_pkey PRIMARY KEY (delivery)
);
alter table private.mailbox_deliveries enable row level security;

create table private.never_mailed (
  email_hash text not null,
  constraint never_mailed_pkey PRIMARY KEY (email_hash)
);
alter table private.never_mailed enable row level security;

create table private.outbox (
  id uuid not null default gen_random_uuid(),
  email text not null,
  announcement text,
  email_hash text,
  mailbox_hash text,
  member_id uuid not null default gen_random_uuid(),
  unsubscribe_token_hash text,
  message text,
  state private.delivery_state not null default 'waiting'::private.delivery_state,
  accepted_at timestamp with time zone not null default now(),
  turn integer not null default 0,
  next_try_at timestamp with time zone not null default now(),
  uncertain_since timestamp with time zone,
  tries integer not null default 0,
  blocks integer not null default 0,
  lease uuid,
  leased_until timestamp with time zone,
  sent_at timestamp with time zone,
  provider_id text,
  last_problem text,
  constraint outbox_announcement_fkey FOREIGN KEY (announcement) REFERENCES private.announcements(name) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint outbox_email_announcement_key UNIQUE NULLS NOT DISTINCT (email, announcement),
  constraint outbox_email_check CHECK (private.is_email_address(email)),
  constraint outbox_message_until_sent CHECK (((message IS NOT NULL) OR (state = 'sent'::private.delivery_state) OR (announcement IS NOT NULL))),
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_unsubscribe_token_hash_key UNIQUE (unsubscribe_token_hash)
);
alter table private.outbox enable row level security;

create table private.pace (
  only_row boolean not null default true,
  next_delivery_at timestamp with time zone not null default now(),
  blocked uuid[] not null default '{}'::uuid[],
  constraint pace_only_row_check CHECK (only_row),
  constraint pace_pkey PRIMARY KEY (only_row)
);
alter table private.pace enable row level security;

create table private.restored (
  restore uuid not null,
  uploaded_at timestamp with time zone not null default now(),
  entries jsonb not null,
  size integer not null,
  announcements integer not null,
  is_complete boolean not null default false
);
alter table private.restored enable row level security;

create table private.used_tokens (
  token_hash text not null,
  email_hash text,
  used_at timestamp with time zone not null default now(),
  constraint used_tokens_pkey PRIMARY KEY (token_hash)
);
alter table private.used_tokens enable row level security;

create table waitlist_emails (
  email text not null,
  created_at timestamp with time zone not null default now(),
  source text not null,
  accepted boolean not null default false,
  constraint waitlist_emails_email_is_address CHECK (private.is_email_address(email)),
  constraint waitlist_emails_source CHECK ((source = 'landing_page'::text))
);
alter table waitlist_emails enable row level security;
alter table waitlist_emails replica identity full;

-- Views

create view private.counted_outbox as
 SELECT id,
    email,
    announcement,
    email_hash,
    mailbox_hash,
    member_id,
    unsubscribe_token_hash,
    message,
    state,
    accepted_at,
    turn,
    next_try_at,
    uncertain_since,
    tries,
    blocks,
    lease,
    leased_until,
    sent_at,
    provider_id,
    last_problem
   FROM private.outbox entry
  WHERE (NOT (EXISTS ( SELECT
           FROM private.announcements test
          WHERE ((test.name = entry.announcement) AND test.is_test))));

create view private.messages as
 SELECT counted_outbox.id,
    counted_outbox.email,
    counted_outbox.announcement,
    counted_outbox.email_hash,
    counted_outbox.mailbox_hash,
    counted_outbox.member_id,
    counted_outbox.unsubscribe_token_hash,
    counted_outbox.message,
    counted_outbox.state,
    counted_outbox.accepted_at,
    counted_outbox.turn,
    counted_outbox.next_try_at,
    counted_outbox.uncertain_since,
    counted_outbox.tries,
    counted_outbox.blocks,
    counted_outbox.lease,
    counted_outbox.leased_until,
    counted_outbox.sent_at,
    counted_outbox.provider_id,
    counted_outbox.last_problem
   FROM private.counted_outbox
UNION ALL
 SELECT pending.id,
    pending.email,
    pending.announcement,
    pending.email_hash,
    pending.mailbox_hash,
    pending.member_id,
    pending.unsubscribe_token_hash,
    pending.message,
    pending.state,
    pending.accepted_at,
    pending.turn,
    pending.next_try_at,
    pending.uncertain_since,
    pending.tries,
    pending.blocks,
    pending.lease,
    pending.leased_until,
    pending.sent_at,
    pending.provider_id,
    pending.last_problem
   FROM private.pending;

create view private.pending as
 SELECT (md5((announcement.name || welcome.member_id)))::uuid AS id,
    welcome.email,
    announcement.name AS announcement,
    welcome.email_hash,
    NULL::text AS mailbox_hash,
    welcome.member_id,
    NULL::text AS unsubscribe_token_hash,
    NULL::text AS message,
    'waiting'::private.delivery_state AS state,
    announcement.queued_at AS accepted_at,
    0 AS turn,
    announcement.queued_at AS next_try_at,
    NULL::timestamp with time zone AS uncertain_since,
    0 AS tries,
    0 AS blocks,
    NULL::uuid AS lease,
    NULL::timestamp with time zone AS leased_until,
    NULL::timestamp with time zone AS sent_at,
    NULL::text AS provider_id,
    NULL::text AS last_problem
   FROM (private.announcements announcement
     JOIN private.outbox welcome ON (((welcome.announcement IS NULL) AND (welcome.email > announcement.reached) AND (welcome.accepted_at <= announcement.queued_at))))
  WHERE ((NOT (EXISTS ( SELECT
           FROM private.outbox entry
          WHERE ((entry.email = welcome.email) AND (entry.announcement = announcement.name))))) AND (NOT (EXISTS ( SELECT
           FROM private.never_mailed known
          WHERE (known.email_hash = welcome.email_hash)))));

-- Indexes, except those of constraints

CREATE INDEX calls_at_idx ON private.calls USING btree (at);

CREATE INDEX calls_caller_idx ON private.calls USING btree (caller_hash, at) WHERE (caller_hash IS NOT NULL);

CREATE INDEX calls_network_idx ON private.calls USING btree (network_hash, at) WHERE (network_hash IS NOT NULL);

CREATE INDEX delivery_events_delivery_idx ON private.delivery_events USING btree (delivery);

CREATE INDEX delivery_events_returned_idx ON private.delivery_events USING btree (at) WHERE (kind <> 'delivered'::text);

CREATE INDEX delivery_events_unmatched_age_idx ON private.delivery_events USING btree (received_at) WHERE (delivery IS NULL);

CREATE INDEX delivery_events_unmatched_idx ON private.delivery_events USING btree (message) WHERE (delivery IS NULL);

CREATE INDEX mailbox_deliveries_at_idx ON private.mailbox_deliveries USING btree (at);

CREATE INDEX mailbox_deliveries_mailbox_idx ON private.mailbox_deliveries USING btree (mailbox_hash, at);

CREATE INDEX outbox_announcement_idx ON private.outbox USING btree (announcement, next_try_at) WHERE ((state = 'waiting'::private.delivery_state) AND (announcement IS NOT NULL));

CREATE INDEX outbox_email_hash_idx ON private.outbox USING btree (email_hash);

CREATE INDEX outbox_next_try_at_idx ON private.outbox USING btree (next_try_at) WHERE ((state = 'waiting'::private.delivery_state) AND (announcement IS NULL));

CREATE INDEX outbox_probe_idx ON private.outbox USING btree (email) WHERE (email ~~ 'delivered+probe-%@resend.dev'::text);

CREATE INDEX outbox_provider_id_idx ON private.outbox USING btree (provider_id) WHERE (provider_id IS NOT NULL);

CREATE INDEX outbox_turn_idx ON private.outbox USING btree (turn, next_try_at) WHERE ((state = 'waiting'::private.delivery_state) AND (announcement IS NULL));

CREATE INDEX outbox_uncertain_idx ON private.outbox USING btree (uncertain_since) WHERE ((state = 'waiting'::private.delivery_state) AND (uncertain_since IS NOT NULL));

CREATE INDEX outbox_unsent_idx ON private.outbox USING btree (accepted_at, email) WHERE (state <> 'sent'::private.delivery_state);

CREATE INDEX waitlist_emails_created_at_email_idx ON public.waitlist_emails USING btree (created_at, email);

CREATE INDEX waitlist_emails_swept_idx ON public.waitlist_emails USING btree (email) WHERE (NOT accepted);

CREATE UNIQUE INDEX waitlist_emails_email_key ON public.waitlist_emails USING btree (email) WHERE accepted;

-- Functions

CREATE OR REPLACE FUNCTION public.accept_sign_up(email text, message text, member_id uuid, unsubscribe_token_hash text, caller_hash text, network_hash text, email_hash text, mailbox_hash text)
 RETURNS TABLE(outcome text, retry_after integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.back_up_announcements(after_name text DEFAULT NULL::text, page_size integer DEFAULT 10)
 RETURNS TABLE(announcement jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
  select to_jsonb(announcement) || '{"reached": null}' from private.announcements as announcement
  where not announcement.is_test and announcement.name > coalesce(after_name, '')
  order by announcement.name limit page_size;
$function$
;

CREATE OR REPLACE FUNCTION public.back_up_members(after_email text DEFAULT NULL::text, page_size integer DEFAULT 250)
 RETURNS TABLE(entry jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.back_up_member(member.email) from public.waitlist_emails as member
  where member.accepted and member.email > coalesce(after_email, '')
  order by member.email limit page_size;
$function$
;

CREATE OR REPLACE FUNCTION public.back_up_never_mailed(after_hash text DEFAULT NULL::text, page_size integer DEFAULT 1000)
 RETURNS TABLE(email_hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select known.email_hash from private.never_mailed as known
  where known.email_hash > coalesce(after_hash, '') order by known.email_hash limit page_size;
$function$
;

CREATE OR REPLACE FUNCTION public.count_members()
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select count(*) from public.waitlist_emails;
$function$
;

CREATE OR REPLACE FUNCTION public.count_unknown(email text DEFAULT NULL::text)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select count(*) from private.counted_outbox as entry
  where entry.state = 'unknown' and not exists (select from private.never_mailed as known where known.email_hash = entry.email_hash)
    and (count_unknown.email is null or entry.email = private.normalize_email_address(count_unknown.email));
$function$
;

CREATE OR REPLACE FUNCTION public.find_member(email text)
 RETURNS TABLE(email text, is_never_mailed boolean, history jsonb, messages jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select member.email, private.is_never_mailed(member.email),
    (select jsonb_agg(jsonb_build_object('at', private.format_time(past.at), 'what', past.what, 'problem', past.problem) order by past.at)
      from (
        select member.created_at as at, 'joined' as what, null as problem
        union all
        select entry.sent_at, coalesce(entry.announcement, 'welcome') || ' sent', null
          from private.counted_outbox as entry where entry.email = member.email and entry.sent_at is not null
        union all
        select event.at, coalesce(entry.announcement, 'welcome') || ' ' || event.kind, event.problem
          from private.counted_outbox as entry join private.delivery_events as event on event.delivery = entry.id
          where entry.email = member.email
      ) as past),
    (select coalesce(jsonb_agg(jsonb_build_object(
        'name', entry.announcement, 'state', entry.state, 'problem', entry.last_problem, 'tries', entry.tries,
        'next_try_at', case when entry.state = 'waiting' and entry.next_try_at > now() then private.format_time(entry.next_try_at) end,
        'ahead', case when entry.state = 'waiting' and entry.announcement is null then (select count(*) from private.outbox as other
          where other.state = 'waiting' and other.announcement is null
            and (other.turn, other.next_try_at) < (entry.turn, entry.next_try_at)) end
      ) order by entry.announcement is not null, entry.accepted_at), '[]')
      from private.messages as entry where entry.email = member.email)
  from public.waitlist_emails as member
  where member.accepted and member.email = private.normalize_email_address(find_member.email);
$function$
;

CREATE OR REPLACE FUNCTION public.find_test(id uuid)
 RETURNS TABLE(state text, problem text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select entry.state::text,
    coalesce(entry.last_problem, case when entry.state = 'waiting' and held.paused_until is not null then held.problem end)
  from private.outbox as entry join private.announcements as announcement on announcement.name = entry.announcement
  cross join private.describe_hold_up() as held
  where entry.id = find_test.id and announcement.is_test;
$function$
;

CREATE OR REPLACE FUNCTION public.forget_probe(email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  probe private.outbox;
begin
  for probe in
    select * from private.outbox as entry
    where entry.email like 'delivered+probe-%@resend.dev'
      and (entry.email = forget_probe.email or entry.accepted_at < now() - interval '1 hour')
      -- Ordered, so that two probes at once lock the addresses in the same order and cannot deadlock.
      order by entry.email
  loop
    delete from private.calls as call where call.email_hash = probe.email_hash;
    perform private.remove_email(probe.email);
  end loop;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.forget_test(id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.announcements as announcement where announcement.name = forget_test.id::text and announcement.is_test;
$function$
;

CREATE OR REPLACE FUNCTION public.inspect_sign_up(email text)
 RETURNS TABLE(entries integer, state text, problem text, ahead integer, held_up_by text, is_delivered boolean, return_kind text, callers integer, unseen integer, others integer, others_alike integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    (select count(*)::int from public.waitlist_emails as member where member.email = inspect_sign_up.email and member.accepted),
    welcome.state::text, welcome.last_problem,
    (select count(*)::int from private.outbox as other where other.state = 'waiting' and other.announcement is null
        and (other.turn, other.next_try_at) < (welcome.turn, welcome.next_try_at)),
    (select held.problem from private.describe_hold_up() as held),
    exists (select from private.delivery_events as event where event.delivery = welcome.id and event.kind = 'delivered'),
    (select max(event.kind) from private.delivery_events as event where event.delivery = welcome.id and event.kind <> 'delivered'),
    own.callers, own.unseen, other.addresses, other.alike
  from (values (1)) as one_row
  left join private.outbox as welcome on welcome.email = inspect_sign_up.email and welcome.announcement is null
  cross join lateral (
    select count(distinct call.caller_hash)::int as callers,
      (count(*) filter (where call.caller_hash is null))::int as unseen, array_agg(call.caller_hash) as hashes
    from private.calls as call where call.email_hash = welcome.email_hash
  ) as own
  cross join lateral (
    select count(distinct call.email_hash)::int as addresses,
      (count(distinct call.email_hash) filter (where call.caller_hash = any (own.hashes)))::int as alike
    from private.calls as call where call.email_hash <> welcome.email_hash
  ) as other;
$function$
;

CREATE OR REPLACE FUNCTION public.lease_delivery(known_template text DEFAULT NULL::text)
 RETURNS TABLE(id uuid, lease uuid, message text, email text, member_id uuid, template text, template_hash text, wait integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.leave_waitlist(token_hash text)
 RETURNS TABLE(has_left boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.list_limits()
 RETURNS TABLE(name text, value integer, lowest integer, highest integer, meaning text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select entry.name, entry.value, entry.lowest, entry.highest, entry.meaning from private.limits as entry order by entry.name;
$function$
;

CREATE OR REPLACE FUNCTION public.list_members(mailable boolean DEFAULT false, after_time timestamp with time zone DEFAULT NULL::timestamp with time zone, after_email text DEFAULT NULL::text, page_size integer DEFAULT 1000)
 RETURNS TABLE(email text, created_at text, source text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select member.email, private.format_time(member.created_at), member.source
  from public.waitlist_emails as member
  where (member.created_at, member.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
    and (not list_members.mailable or not private.is_never_mailed(member.email))
  order by member.created_at, member.email limit page_size;
$function$
;

CREATE OR REPLACE FUNCTION public.list_outbox(after_time timestamp with time zone DEFAULT NULL::timestamp with time zone, after_email text DEFAULT NULL::text, page_size integer DEFAULT 1000)
 RETURNS TABLE(email text, announcement text, state text, at text, next_try_at text, tries integer, problem text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select entry.email, entry.announcement, entry.state::text, private.format_time(entry.accepted_at),
    case when entry.state = 'waiting' then private.format_time(entry.next_try_at) end, entry.tries, entry.last_problem
  from private.counted_outbox as entry
  where entry.state <> 'sent' and (entry.announcement is null or entry.state <> 'waiting' or entry.last_problem is not null)
    and (entry.accepted_at, entry.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
  order by entry.accepted_at, entry.email limit page_size;
$function$
;

CREATE OR REPLACE FUNCTION public.list_returned(after_time timestamp with time zone DEFAULT NULL::timestamp with time zone, after_email text DEFAULT NULL::text, page_size integer DEFAULT 1000)
 RETURNS TABLE(email text, announcement text, state text, at text, problem text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select entry.email, entry.announcement, event.kind, private.format_time(event.at), event.problem
  from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
  where event.kind <> 'delivered'
    -- Does not use the view counted_outbox: its anti-join would read the whole outbox for every page.
    and (entry.announcement is null or not (select test.is_test from private.announcements as test where test.name = entry.announcement))
    and (event.at, entry.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
  order by event.at, entry.email limit page_size;
$function$
;

CREATE OR REPLACE FUNCTION public.preview_announcement(name text, message text)
 RETURNS TABLE(recipients bigint, queued_before bigint, never_mailed bigint, waiting_welcomes bigint, per_second integer, is_changed boolean, is_stopped boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    count(*) filter (where not member.is_queued and not member.is_never_mailed),
    count(*) filter (where member.is_queued),
    count(*) filter (where not member.is_queued and member.is_never_mailed),
    (select count(*) from private.outbox as welcome where welcome.state = 'waiting' and welcome.announcement is null),
    private.limit_of('deliveries'),
    exists (select from private.announcements as known
      where known.name = preview_announcement.name and known.message <> preview_announcement.message),
    exists (select from private.announcements as known where known.name = preview_announcement.name and known.is_stopped)
  from private.list_recipients(preview_announcement.name) as member;
$function$
;

CREATE OR REPLACE FUNCTION private.add_messages(announcement text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION private.admit_waitlist_email()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not new.accepted then
    if current_setting('waitlist.inserted', true) = 'yes' then
      raise exception 'one row at a time' using errcode = '22023', hint = 'Send an array of one row.';
    end if;
    perform set_config('waitlist.inserted', 'yes', true);
  end if;
  if length(new.email) > 320 then
    raise exception 'email is too long' using errcode = '22023', hint = 'Send one email address of at most 254 characters.';
  end if;
  new.email := private.normalize_email_address(new.email);
  if new.email is null or not private.is_email_address(new.email) then
    raise exception 'email is not an email address' using errcode = '22023', hint = 'Send one address such as name@example.com.';
  end if;
  if new.source is distinct from 'landing_page' then
    raise exception 'source is not landing_page' using errcode = '22023', hint = 'Send the source landing_page.';
  end if;
  return new;
end;
$function$
;

CREATE OR REPLACE FUNCTION private.back_up_member(email text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
  select jsonb_build_object(
    'member', to_jsonb(member),
    'outbox', (select coalesce(jsonb_agg(to_jsonb(entry) order by entry.id), '[]')
      from private.messages as entry where entry.email = member.email),
    'events', (select coalesce(jsonb_agg(to_jsonb(event) order by event.id), '[]')
      from private.counted_outbox as entry join private.delivery_events as event on event.delivery = entry.id
      where entry.email = member.email))
  from public.waitlist_emails as member
  where member.accepted and member.email = back_up_member.email;
$function$
;

CREATE OR REPLACE FUNCTION private.describe_hold_up()
 RETURNS TABLE(paused_until text, problem text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    (select private.format_time(pace.next_delivery_at) from private.pace as pace where pace.next_delivery_at > now() + interval '1 minute'),
    (select entry.last_problem from private.outbox as entry
      where entry.state = 'waiting' and entry.last_problem is not null order by entry.next_try_at desc limit 1);
$function$
;

CREATE OR REPLACE FUNCTION private.format_time(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE STRICT
 SET search_path TO ''
RETURN to_char((moment AT TIME ZONE 'utc'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text)
;

CREATE OR REPLACE FUNCTION private.is_email_address(email text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
RETURN ((length(email) <= 254) AND ((email COLLATE "C") ~ '^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$'::text) AND (POSITION(('@'::text) IN (email)) <= 65))
;

CREATE OR REPLACE FUNCTION private.is_never_mailed(email text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM (private.outbox entry JOIN private.never_mailed known ON ((known.email_hash = entry.email_hash))) WHERE ((entry.email = is_never_mailed.email) AND (entry.announcement IS NULL))))
;

CREATE OR REPLACE FUNCTION private.limit_of(limit_name text)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT limits.value FROM private.limits WHERE (limits.name = limit_of.limit_name))
;

CREATE OR REPLACE FUNCTION private.list_recipients(announcement text)
 RETURNS TABLE(is_queued boolean, is_never_mailed boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    -- Has a row, or is pending. A join with the view private.messages takes four times as long.
    queued.id is not null or (known.email_hash is null
      and coalesce(welcome.email > running.reached and welcome.accepted_at <= running.queued_at, false)),
    known.email_hash is not null
  from private.outbox as welcome
  left join private.outbox as queued on queued.email = welcome.email and queued.announcement = list_recipients.announcement
  left join private.never_mailed as known on known.email_hash = welcome.email_hash
  left join private.announcements as running on running.name = list_recipients.announcement
  where welcome.announcement is null;
$function$
;

CREATE OR REPLACE FUNCTION private.lock_email(email text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select pg_advisory_xact_lock(hashtextextended('email:' || email, 0));
$function$
;

CREATE OR REPLACE FUNCTION private.lock_message(provider_message text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select pg_advisory_xact_lock(hashtextextended('delivery_events:' || provider_message, 0));
$function$
;

CREATE OR REPLACE FUNCTION private.normalize_email_address(raw text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
RETURN lower((btrim(raw, (' 	
'::text || chr(11))) COLLATE "C"))
;

CREATE OR REPLACE FUNCTION private.remove_email(email text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION private.restore_entries(entries jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  missing jsonb;
begin
  -- Sign-ups wait until the end of this call. They need these tables in the same order, so the two cannot deadlock.
  lock table private.outbox, public.waitlist_emails in share row exclusive mode;
  select jsonb_agg(part.entry) into missing from jsonb_array_elements(entries) as part(entry)
    where part.entry ? 'member' and private.back_up_member(part.entry -> 'member' ->> 'email') is null;
  insert into public.waitlist_emails
    select member.* from jsonb_array_elements(missing) as part(entry)
    cross join lateral jsonb_populate_record(null::public.waitlist_emails, part.entry -> 'member') as member;
  insert into private.outbox
    select stored.* from jsonb_array_elements(missing) as part(entry)
    cross join lateral jsonb_populate_recordset(null::private.outbox, part.entry -> 'outbox') as stored;
  insert into private.delivery_events
    select event.* from jsonb_array_elements(missing) as part(entry)
    cross join lateral jsonb_populate_recordset(null::private.delivery_events, part.entry -> 'events') as event;
  insert into private.never_mailed
    select part.entry ->> 'never_mailed' from jsonb_array_elements(entries) as part(entry) where part.entry ? 'never_mailed'
    on conflict do nothing;
  insert into private.announcements
    select announcement.* from jsonb_array_elements(entries) as part(entry)
    cross join lateral jsonb_populate_record(null::private.announcements, part.entry -> 'announcement') as announcement
    where part.entry ? 'announcement'
    on conflict do nothing;
  if exists (select from jsonb_array_elements(missing) as part(entry)
      where part.entry is distinct from private.back_up_member(part.entry -> 'member' ->> 'email'))
    or exists (select from jsonb_array_elements(entries) as part(entry)
      where part.entry ? 'announcement' and part.entry -> 'announcement' not in (
        select to_jsonb(announcement) from private.announcements as announcement)) then
    raise exception 'the restored rows differ from the backup, which comes from another version of the database' using errcode = '22023';
  end if;
end;
$function$
;

CREATE OR REPLACE FUNCTION private.schedule_delivery(function_url text, public_key text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION private.sweep_waitlist_email()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.waitlist_emails as entry where entry.email = new.email and not entry.accepted;
  return null;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.queue_announcement(name text, message text)
 RETURNS TABLE(outcome text, queued bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  insert into private.announcements (name, message) values (queue_announcement.name, queue_announcement.message)
    on conflict (name) do nothing;
  -- Another call of this function waits here.
  perform from private.announcements as known
    where known.name = queue_announcement.name and known.message = queue_announcement.message for update;
  if not found then
    return query select 'changed', 0::bigint;
    return;
  end if;
  return query select 'queued', count(*) from private.list_recipients(queue_announcement.name) as member
    where not member.is_queued and not member.is_never_mailed;
  update private.announcements as known set reached = '', queued_at = clock_timestamp() where known.name = queue_announcement.name;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.queue_test(message text, email text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  test constant uuid := gen_random_uuid();
  recipient constant text := private.normalize_email_address(queue_test.email);
begin
  -- Deletes what interrupted tests left behind.
  delete from private.announcements as announcement where announcement.is_test and announcement.queued_at < now() - interval '1 hour';
  insert into private.announcements (name, message, is_test) values (test::text, queue_test.message, true);
  insert into private.outbox (id, email, announcement, member_id, email_hash)
    select test, recipient, test::text, coalesce(welcome.member_id, gen_random_uuid()), welcome.email_hash
    from (values (1)) as one_row
    left join private.outbox as welcome on welcome.email = recipient and welcome.announcement is null;
  return test;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.record_delivery(delivery uuid, held_lease uuid, outcome text, provider_message text, problem text, retry_after integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.record_delivery_event(event_id text, provider_message text, kind text, occurred_at timestamp with time zone, problem text, email_hash text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.remove_member(email text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.remove_email(private.normalize_email_address(remove_member.email));
$function$
;

CREATE OR REPLACE FUNCTION public.restore_backup(restore uuid, size bigint)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  lock table private.restored in share row exclusive mode;
  if exists (select from private.restored as part where part.is_complete) or exists (
    select from public.waitlist_emails as member
      where member.created_at < coalesce((select min(part.uploaded_at) from private.restored as part), 'infinity')
  ) then
    return 'not empty';
  end if;
  if (select coalesce(sum(part.size), 0) from private.restored as part where part.restore = restore_backup.restore)
    <> restore_backup.size
    then return 'incomplete'; end if;
  delete from private.restored as part where part.restore <> restore_backup.restore;
  update private.restored as part set is_complete = true where part.restore = restore_backup.restore;
  return 'complete';
end;
$function$
;

CREATE OR REPLACE FUNCTION public.restore_part()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  moved jsonb;
begin
  delete from private.restored as part
    where part.ctid = (select next.ctid from private.restored as next where next.is_complete
      order by next.announcements desc limit 1 for update)
    returning part.entries into moved;
  perform private.restore_entries(moved);
  return (select count(*) from private.restored as part where part.is_complete);
end;
$function$
;

CREATE OR REPLACE FUNCTION public.retry_outbox(email text DEFAULT NULL::text, with_unknown boolean DEFAULT false)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed int;
begin
  -- A new id, because the provider remembers the old one together with its refusal.
  update private.counted_outbox as entry
    set id = gen_random_uuid(), state = 'waiting', next_try_at = now(), tries = 0, blocks = 0, uncertain_since = null, last_problem = null
    where (entry.state = 'refused' or (with_unknown and entry.state = 'unknown'))
      and not exists (select from private.never_mailed as known where known.email_hash = entry.email_hash)
      and (retry_outbox.email is null or entry.email = private.normalize_email_address(retry_outbox.email));
  get diagnostics changed = row_count;
  return changed;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.set_limit(name text, value integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.limits as entry set value = set_limit.value where entry.name = set_limit.name;
  if not found then
    raise exception 'there is no such limit' using errcode = '22023', hint = 'Call list_limits to see all limits.';
  end if;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.stop_announcement(name text, is_stopped boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.announcements as announcement set is_stopped = stop_announcement.is_stopped
    where announcement.name = stop_announcement.name;
  return found;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.summarize_announcement(name text)
 RETURNS TABLE(sent bigint, waiting bigint, refused bigint, unknown bigint, bounced bigint, complained bigint, per_second integer, is_stopped boolean, paused_until text, problem text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select counted.sent, counted.waiting, counted.refused, counted.unknown, returned.bounced, returned.complained,
    private.limit_of('deliveries'), announcement.is_stopped, held.paused_until, held.problem
  from private.announcements as announcement
  cross join lateral (
    select
      count(*) filter (where entry.state = 'sent') as sent,
      count(*) filter (where entry.state = 'waiting') as waiting,
      count(*) filter (where entry.state = 'refused') as refused,
      count(*) filter (where entry.state = 'unknown') as unknown
    from private.messages as entry where entry.announcement = announcement.name
  ) as counted
  cross join lateral (
    select
      count(distinct event.delivery) filter (where event.kind = 'bounced') as bounced,
      count(distinct event.delivery) filter (where event.kind = 'complained') as complained
    from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
    where event.kind <> 'delivered' and entry.announcement = announcement.name
  ) as returned
  cross join private.describe_hold_up() as held
  where announcement.name = summarize_announcement.name;
$function$
;

CREATE OR REPLACE FUNCTION public.summarize_waitlist()
 RETURNS TABLE(members bigint, never_mailed bigint, today bigint, yesterday bigint, waiting bigint, waiting_since text, waiting_announcements bigint, per_second integer, paused_until text, problem text, refused bigint, unknown bigint, returned jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    public.count_members(),
    (select count(*) from private.never_mailed as known join private.outbox as entry on entry.email_hash = known.email_hash
      where entry.announcement is null),
    (select count(*) from public.waitlist_emails as member where member.created_at >= date_trunc('day', now(), 'utc')),
    (select count(*) from public.waitlist_emails as member
      where member.created_at >= date_trunc('day', now(), 'utc') - interval '1 day'
        and member.created_at < date_trunc('day', now(), 'utc')),
    count(*) filter (where unsent.state = 'waiting' and unsent.announcement is null),
    private.format_time(min(unsent.accepted_at) filter (where unsent.state = 'waiting' and unsent.announcement is null)),
    count(*) filter (where unsent.state = 'waiting' and running.name is not null),
    private.limit_of('deliveries'),
    (select held.paused_until from private.describe_hold_up() as held),
    (select held.problem from private.describe_hold_up() as held),
    count(*) filter (where unsent.state = 'refused'),
    count(*) filter (where unsent.state = 'unknown'),
    (select coalesce(jsonb_object_agg(by_kind.kind, by_kind.members), '{}')
      from (select event.kind, count(distinct entry.email) as members
        from private.delivery_events as event join private.counted_outbox as entry on entry.id = event.delivery
        where event.kind <> 'delivered' group by event.kind) as by_kind)
  from (select * from private.messages as entry where entry.state <> 'sent') as unsent
  left join private.announcements as running on running.name = unsent.announcement and not running.is_stopped;
$function$
;

CREATE OR REPLACE FUNCTION public.upload_backup(restore uuid, entries text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  begin
    perform private.restore_entries(entries::jsonb);
    raise exception 'this was only a test' using errcode = 'UNDO1';
  exception when sqlstate 'UNDO1' then null;
  end;
  insert into private.restored (restore, entries, size, announcements)
    select upload_backup.restore, jsonb_agg(part.entry), count(*), count(*) filter (where part.entry ? 'announcement')
    from jsonb_array_elements(entries::jsonb) as part(entry);
end;
$function$
;

-- Triggers

CREATE TRIGGER admit BEFORE INSERT ON public.waitlist_emails FOR EACH ROW EXECUTE FUNCTION private.admit_waitlist_email();

CREATE TRIGGER sweep AFTER INSERT ON public.waitlist_emails FOR EACH ROW WHEN ((NOT new.accepted)) EXECUTE FUNCTION private.sweep_waitlist_email();

-- Policies

create policy "anyone may join" on public.waitlist_emails for insert to anon with check ((source = 'landing_page'::text));

-- Grants to the roles of the data API

grant execute on function private.is_email_address(text) to anon;

grant insert (email, created_at, source) on waitlist_emails to anon;

grant execute on function accept_sign_up(text,text,uuid,text,text,text,text,text) to service_role;

grant execute on function back_up_announcements(text,integer) to service_role;

grant execute on function back_up_members(text,integer) to service_role;

grant execute on function back_up_never_mailed(text,integer) to service_role;

grant execute on function count_members() to service_role;

grant execute on function count_unknown(text) to service_role;

grant execute on function find_member(text) to service_role;

grant execute on function find_test(uuid) to service_role;

grant execute on function forget_probe(text) to service_role;

grant execute on function forget_test(uuid) to service_role;

grant execute on function inspect_sign_up(text) to service_role;

grant execute on function lease_delivery(text) to service_role;

grant execute on function leave_waitlist(text) to service_role;

grant execute on function list_limits() to service_role;

grant execute on function list_members(boolean,timestamp with time zone,text,integer) to service_role;

grant execute on function list_outbox(timestamp with time zone,text,integer) to service_role;

grant execute on function list_returned(timestamp with time zone,text,integer) to service_role;

grant execute on function preview_announcement(text,text) to service_role;

grant execute on function private.is_email_address(text) to service_role;

grant execute on function queue_announcement(text,text) to service_role;

grant execute on function queue_test(text,text) to service_role;

grant execute on function record_delivery(uuid,uuid,text,text,text,integer) to service_role;

grant execute on function record_delivery_event(text,text,text,timestamp with time zone,text,text) to service_role;

grant execute on function remove_member(text) to service_role;

grant execute on function restore_backup(uuid,bigint) to service_role;

grant execute on function restore_part() to service_role;

grant execute on function retry_outbox(text,boolean) to service_role;

grant execute on function set_limit(text,integer) to service_role;

grant execute on function stop_announcement(text,boolean) to service_role;

grant execute on function summarize_announcement(text) to service_role;

grant execute on function summarize_waitlist() to service_role;

grant execute on function upload_backup(uuid,text) to service_role;
