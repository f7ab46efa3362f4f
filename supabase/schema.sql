-- The current definition of everything in the database, for reading and for reviews.
-- Generated from the migrated database by tests/database/schema.test.ts. Change the migrations instead, then run:
--   npx vitest run --config tests/vitest.config.ts tests/database/schema.test.ts -u

-- Types

create type private.delivery_state as enum ('waiting', 'sent', 'refused', 'unknown');

-- Tables

create table private.announcements (
  name text not null,
  template text not null,
  queued_at timestamp with time zone not null default now(),
  is_stopped boolean not null default false,
  constraint announcements_pkey PRIMARY KEY (name),
  constraint announcements_template_fkey FOREIGN KEY (template) REFERENCES private.templates(hash)
);

create table private.calls (
  at timestamp with time zone not null,
  caller_hash text,
  network_hash text
);

create table private.delivery_events (
  id text not null,
  message text not null,
  delivery uuid,
  kind text not null,
  is_final boolean not null,
  at timestamp with time zone not null,
  problem text,
  received_at timestamp with time zone not null default now(),
  constraint delivery_events_delivery_fkey FOREIGN KEY (delivery) REFERENCES private.outbox(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint delivery_events_kind_check CHECK ((kind = ANY (ARRAY['delivered'::text, 'bounced'::text, 'complained'::text, 'failed'::text, 'suppressed'::text]))),
  constraint delivery_events_message_kind_key UNIQUE (message, kind),
  constraint delivery_events_pkey PRIMARY KEY (id)
);

create table private.hours (
  hour timestamp with time zone not null,
  refused integer not null default 0,
  over_ceiling integer not null default 0,
  sent integer not null default 0,
  bounced integer not null default 0,
  complained integer not null default 0,
  constraint hours_pkey PRIMARY KEY (hour)
);

create table private.limits (
  name text not null,
  value integer not null,
  lowest integer not null,
  highest integer not null,
  meaning text not null,
  constraint limits_pkey PRIMARY KEY (name),
  constraint limits_value_is_sensible CHECK (((value >= lowest) AND (value <= highest)))
);

create table private.members (
  id uuid not null,
  email text not null,
  token_hash text not null,
  mailbox_hash text not null,
  constraint members_email_fkey FOREIGN KEY (email) REFERENCES waitlist_emails(email) ON DELETE CASCADE,
  constraint members_email_key UNIQUE (email),
  constraint members_pkey PRIMARY KEY (id),
  constraint members_token_hash_key UNIQUE (token_hash)
);

create table private.never_mailed (
  mailbox_hash text not null,
  constraint never_mailed_pkey PRIMARY KEY (mailbox_hash)
);

create table private.outbox (
  id uuid not null default gen_random_uuid(),
  member uuid,
  announcement text,
  email text,
  template text,
  mailbox_hash text,
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
  constraint outbox_announcement_fkey FOREIGN KEY (announcement) REFERENCES private.announcements(name),
  constraint outbox_member_fkey FOREIGN KEY (member) REFERENCES private.members(id) ON DELETE CASCADE,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_template_fkey FOREIGN KEY (template) REFERENCES private.templates(hash)
);

create table private.pace (
  only_row boolean not null default true,
  next_delivery_at timestamp with time zone not null default now(),
  refused_alike uuid[] not null default '{}'::uuid[],
  refused_with text,
  constraint pace_only_row_check CHECK (only_row),
  constraint pace_pkey PRIMARY KEY (only_row)
);

create table private.templates (
  hash text not null,
  message text not null,
  constraint templates_message_is_template CHECK (((message)::jsonb ?& ARRAY['subject'::text, 'html'::text, 'text'::text])),
  constraint templates_pkey PRIMARY KEY (hash)
);

create table private.used_tokens (
  token_hash text not null,
  mailbox_hash text not null,
  used_at timestamp with time zone not null default now(),
  constraint used_tokens_pkey PRIMARY KEY (token_hash)
);

create table waitlist_emails (
  email text not null,
  created_at timestamp with time zone not null default now(),
  source text not null,
  constraint waitlist_emails_email_is_address CHECK (private.is_email_address(email)),
  constraint waitlist_emails_pkey PRIMARY KEY (email),
  constraint waitlist_emails_source CHECK ((source = 'landing_page'::text))
);
alter table waitlist_emails enable row level security;

-- Views

create view private.unsent as
 SELECT entry.id,
    entry.member,
    entry.announcement,
    entry.email,
    entry.template,
    entry.mailbox_hash,
    entry.state,
    entry.accepted_at,
    entry.turn,
    entry.next_try_at,
    entry.uncertain_since,
    entry.tries,
    entry.blocks,
    entry.lease,
    entry.leased_until,
    entry.sent_at,
    entry.provider_id,
    entry.last_problem,
    member.email AS address
   FROM (private.outbox entry
     JOIN private.members member ON ((member.id = entry.member)))
  WHERE ((entry.state <> 'sent'::private.delivery_state) AND ((entry.announcement IS NULL) OR (entry.state <> 'waiting'::private.delivery_state) OR (entry.last_problem IS NOT NULL)));

-- Indexes, except those of constraints

CREATE INDEX announcements_template_idx ON private.announcements USING btree (template);

CREATE INDEX calls_at_idx ON private.calls USING btree (at);

CREATE INDEX calls_caller_idx ON private.calls USING btree (caller_hash, at);

CREATE INDEX calls_network_idx ON private.calls USING btree (network_hash, at) WHERE (network_hash IS NOT NULL);

CREATE INDEX delivery_events_delivery_idx ON private.delivery_events USING btree (delivery);

CREATE INDEX delivery_events_returned_idx ON private.delivery_events USING btree (at, id) WHERE (kind <> 'delivered'::text);

CREATE INDEX delivery_events_unmatched_idx ON private.delivery_events USING btree (received_at) WHERE (delivery IS NULL);

CREATE INDEX members_mailbox_idx ON private.members USING btree (mailbox_hash);

CREATE INDEX outbox_announcement_idx ON private.outbox USING btree (announcement, state, next_try_at) WHERE (announcement IS NOT NULL);

CREATE INDEX outbox_mailbox_idx ON private.outbox USING btree (mailbox_hash) WHERE ((state = ANY (ARRAY['sent'::private.delivery_state, 'unknown'::private.delivery_state])) OR (uncertain_since IS NOT NULL));

CREATE INDEX outbox_next_try_at_idx ON private.outbox USING btree (next_try_at) WHERE ((state = 'waiting'::private.delivery_state) AND (announcement IS NULL));

CREATE INDEX outbox_provider_id_idx ON private.outbox USING btree (provider_id) WHERE (provider_id IS NOT NULL);

CREATE INDEX outbox_template_idx ON private.outbox USING btree (template) WHERE (template IS NOT NULL);

CREATE INDEX outbox_test_idx ON private.outbox USING btree (accepted_at) WHERE (email IS NOT NULL);

CREATE INDEX outbox_turn_idx ON private.outbox USING btree (turn, next_try_at) WHERE ((state = 'waiting'::private.delivery_state) AND (announcement IS NULL));

CREATE INDEX outbox_uncertain_idx ON private.outbox USING btree (uncertain_since) WHERE ((state = 'waiting'::private.delivery_state) AND (uncertain_since IS NOT NULL));

CREATE INDEX outbox_unsent_idx ON private.outbox USING btree (accepted_at, id) WHERE ((state <> 'sent'::private.delivery_state) AND ((announcement IS NULL) OR (state <> 'waiting'::private.delivery_state) OR (last_problem IS NOT NULL)));

CREATE INDEX waitlist_emails_created_at_email_idx ON public.waitlist_emails USING btree (created_at, email);

CREATE INDEX waitlist_emails_probe_idx ON public.waitlist_emails USING btree (email) WHERE (email ~~ 'delivered+probe-%@resend.dev'::text);

CREATE UNIQUE INDEX outbox_member_key ON private.outbox USING btree (member, announcement) NULLS NOT DISTINCT WHERE (member IS NOT NULL);

-- Functions

CREATE OR REPLACE FUNCTION public.accept_sign_up(email text, template text, member_id uuid, token_hash text, caller_hash text, network_hash text, mailbox_hash text)
 RETURNS TABLE(outcome text, retry_after integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  now_is constant timestamptz := clock_timestamp();
  hour_ago constant timestamptz := now_is - interval '1 hour';
  template_hash text;
  calls int;
  last_call_at timestamptz;
  ceiling_at timestamptz;
  free_at timestamptz;
begin
  select count(*), max(call.at) into calls, last_call_at from private.calls as call
    where call.caller_hash = accept_sign_up.caller_hash and call.at > hour_ago;
  if accept_sign_up.caller_hash is null then
    select count(*) into calls from private.calls as call where call.caller_hash is null and call.at > hour_ago;
  end if;
  if last_call_at is not null or accept_sign_up.caller_hash is null then
    -- A limit allows calls again as soon as enough of the counted calls are more than an hour old.
    select call.at into ceiling_at from private.calls as call where call.at > hour_ago
      order by call.at desc offset private.limit_of('all_calls') - 1 limit 1;
    free_at := interval '1 hour' + greatest(
      (select call.at from private.calls as call where call.caller_hash = accept_sign_up.caller_hash and call.at > hour_ago
        order by call.at desc offset private.limit_of('caller_calls') - 1 limit 1),
      (select call.at from private.calls as call where call.network_hash = accept_sign_up.network_hash and call.at > hour_ago
        order by call.at desc offset private.limit_of('network_calls') - 1 limit 1),
      ceiling_at);
  end if;
  if free_at is not null then
    -- An hour after its last call, the caller's next one is the first of an hour again.
    free_at := least(free_at, last_call_at + interval '1 hour');
    -- Losing this count in a crash hurts nobody, and waiting for the disk would hold up the sign-ups of others.
    perform set_config('synchronous_commit', 'off', true);
    perform private.count_in_hour(refused => 1, over_ceiling => (ceiling_at is not null)::int);
    return query values ('limited', greatest(1, ceil(extract(epoch from free_at - now_is) / 60)::int) * 60); return;
  end if;

  template_hash := private.store_template(accept_sign_up.template);
  -- Waits while the same address is signing up or leaving. Other addresses do not wait.
  insert into public.waitlist_emails (email, source) values (accept_sign_up.email, 'landing_page')
    on conflict (email) do nothing;
  if found then
    insert into private.members (id, email, token_hash, mailbox_hash)
      values (accept_sign_up.member_id, accept_sign_up.email, accept_sign_up.token_hash, accept_sign_up.mailbox_hash);
    insert into private.outbox (member, template, mailbox_hash, turn)
      values (accept_sign_up.member_id, template_hash, accept_sign_up.mailbox_hash, calls);
  else
    insert into private.outbox (turn) values (calls);
  end if;
  -- A row for each call, and no counter: sign-ups that had to lock one row would wait for each other's disk writes.
  insert into private.calls (at, caller_hash, network_hash)
    values (now_is, accept_sign_up.caller_hash, accept_sign_up.network_hash);
  return query values ('accepted', null::int);
end;
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

CREATE OR REPLACE FUNCTION public.find_member(email text)
 RETURNS TABLE(email text, is_never_mailed boolean, history jsonb, messages jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select member.email, private.is_never_mailed(member.mailbox_hash),
    (select jsonb_agg(jsonb_build_object('at', private.format_time(past.at), 'what', past.what, 'problem', past.problem)
        order by date_trunc('second', past.at), past.place, past.at)
      from (
        select listed.created_at as at, 0 as place, 'joined' as what, null as problem
          from public.waitlist_emails as listed where listed.email = member.email
        union all
        select entry.sent_at, 1, coalesce(entry.announcement, 'welcome') || ' sent', null
          from private.outbox as entry where entry.member = member.id and entry.sent_at is not null
        union all
        select event.at, 2, coalesce(entry.announcement, 'welcome') || ' ' || event.kind, event.problem
          from private.outbox as entry join private.delivery_events as event on event.delivery = entry.id
          where entry.member = member.id
      ) as past),
    (select coalesce(jsonb_agg(jsonb_build_object(
        'name', entry.announcement, 'state', entry.state, 'problem', entry.last_problem, 'tries', entry.tries,
        'next_try_at', case when entry.state = 'waiting' and entry.next_try_at > now()
          then private.format_time(entry.next_try_at) end,
        'ahead', case when entry.state = 'waiting' and entry.announcement is null then private.count_ahead(entry) end
      ) order by entry.announcement is not null, entry.accepted_at), '[]')
      from private.outbox as entry where entry.member = member.id)
  from private.members as member
  where member.email = private.normalize_email_address(find_member.email);
$function$
;

CREATE OR REPLACE FUNCTION public.find_template(hash text)
 RETURNS TABLE(message text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select template.message from private.templates as template where template.hash = find_template.hash;
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
  from private.outbox as entry cross join private.describe_hold_up() as held
  where entry.id = find_test.id and entry.email is not null;
$function$
;

CREATE OR REPLACE FUNCTION public.forget_probe(email text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  lock table private.announcements in share row exclusive mode;
  delete from public.waitlist_emails as listed
    where listed.email like 'delivered+probe-%@resend.dev'
      and (listed.email = forget_probe.email or listed.created_at < now() - interval '1 hour');
$function$
;

CREATE OR REPLACE FUNCTION public.forget_test(id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.outbox as entry where entry.id = forget_test.id and entry.email is not null;
$function$
;

CREATE OR REPLACE FUNCTION public.forgive(email text DEFAULT NULL::text, mailbox_hash text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with forgiven as (
    delete from private.never_mailed as known
      where known.mailbox_hash = forgive.mailbox_hash or known.mailbox_hash = (
        select member.mailbox_hash from private.members as member
        where member.email = private.normalize_email_address(forgive.email)) returning 1
  ) select exists (select from forgiven);
$function$
;

CREATE OR REPLACE FUNCTION public.inspect_sign_up(email text)
 RETURNS TABLE(entries integer, state text, problem text, ahead integer, is_delivered boolean, return_kind text, held_up_by text, brake text, refused_today bigint, over_ceiling_today bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    (select count(*)::int from public.waitlist_emails as entry where entry.email = inspect_sign_up.email),
    welcome.state::text, welcome.last_problem, private.count_ahead(welcome)::int,
    exists (select from private.delivery_events as event where event.delivery = welcome.id and event.kind = 'delivered'),
    (select max(event.kind) from private.delivery_events as event where event.delivery = welcome.id and event.kind <> 'delivered'),
    held.problem, held.brake, held.refused, held.over_ceiling
  from private.describe_hold_up() as held
  left join private.members as member on member.email = inspect_sign_up.email
  left join private.outbox as welcome on welcome.member = member.id and welcome.announcement is null;
$function$
;

CREATE OR REPLACE FUNCTION public.lease_delivery()
 RETURNS TABLE(id uuid, lease uuid, email text, member_id uuid, template text, wait integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  now_is constant timestamptz := clock_timestamp();
  spacing interval := interval '1 second' / private.limit_of('deliveries');
  next_at timestamptz;
  highest_turn int;
  due private.outbox;
  refusal text;
begin
  select pace.next_delivery_at into next_at from private.pace as pace for update;
  delete from private.calls as call where call.at < now_is - interval '1 hour';
  delete from private.hours as counted where counted.hour < now_is - interval '15 days';
  delete from private.used_tokens as used where used.used_at < now_is - interval '10 minutes';
  -- After a day the provider has forgotten the id, so another try could arrive as a second message.
  update private.outbox as entry set state = 'unknown', lease = null, leased_until = null
    where entry.state = 'waiting' and entry.uncertain_since < now_is - interval '23 hours'
      and coalesce(entry.leased_until, '-infinity') < now_is;
  -- While the brake is on, only the first welcome of each caller is sent.
  highest_turn := case when private.describe_brake() is null then 2147483647 else 0 end;

  if next_at <= now_is then
    -- Skips what is locked: a member is leaving, or an earlier delivery is recording its outcome.
    select * into due from private.outbox as entry
      where entry.state = 'waiting' and entry.announcement is null and entry.turn <= highest_turn
        and entry.next_try_at <= now_is and coalesce(entry.leased_until, '-infinity') < now_is
      order by entry.turn, entry.next_try_at limit 1 for update skip locked;
    if due.id is null and highest_turn > 0 then
      -- One index lookup for each announcement that runs: a stopped one may have any number of waiting rows.
      select entry.* into due from private.announcements as running cross join lateral (
          select * from private.outbox as entry
          where entry.announcement = running.name and entry.state = 'waiting'
            and entry.next_try_at <= now_is and coalesce(entry.leased_until, '-infinity') < now_is
          order by entry.next_try_at limit 1 for update skip locked
        ) as entry
        where not running.is_stopped order by running.queued_at limit 1;
    end if;
  end if;

  if due.id is null then
    select ceil(extract(epoch from greatest(next_at, min(waiting.next_try_at)) - now_is) * 1000) into wait from (
      (select entry.next_try_at from private.outbox as entry
        where entry.state = 'waiting' and entry.announcement is null and entry.turn <= highest_turn
          and coalesce(entry.leased_until, '-infinity') < now_is
        order by entry.next_try_at limit 1)
      union all
      select (select entry.next_try_at from private.outbox as entry
          where entry.announcement = running.name and entry.state = 'waiting'
            and coalesce(entry.leased_until, '-infinity') < now_is
          order by entry.next_try_at limit 1)
        from private.announcements as running where not running.is_stopped and highest_turn > 0
    ) as waiting where waiting.next_try_at is not null having count(*) > 0;
    wait := greatest(1, wait);
    if found then return next; end if;
    return;
  end if;

  -- Makes up for a lease that comes a little late, so that the pace does not depend on how long a lease takes.
  spacing := spacing - least(now_is - next_at, spacing / 2);
  update private.pace set next_delivery_at = now_is + spacing where only_row;
  wait := extract(epoch from spacing) * 1000;

  -- What is not sent uses up its turn like what is sent. Otherwise the gap would show it.
  refusal := private.describe_refusal(due);
  if due.member is null and due.email is null then -- a place
    delete from private.outbox as entry where entry.id = due.id;
  elsif refusal is not null then
    update private.outbox as entry set state = 'refused', lease = null, leased_until = null, last_problem = refusal
      where entry.id = due.id;
  elsif due.announcement is not null and exists (select from private.outbox as welcome
      where welcome.member = due.member and welcome.announcement is null and welcome.state = 'waiting') then
    -- A member whose welcome must be tried again gets the announcement after it.
    update private.outbox as entry set next_try_at = now_is + interval '1 minute' where entry.id = due.id;
  else
    update private.outbox as entry
      set lease = gen_random_uuid(), leased_until = now_is + interval '1 minute', tries = entry.tries + 1,
        uncertain_since = coalesce(entry.uncertain_since, now_is)
      where entry.id = due.id
      returning entry.id, entry.lease into id, lease;
    template := coalesce(due.template, (
      select announcement.template from private.announcements as announcement where announcement.name = due.announcement));
    -- The unsubscribe link of a test is that of the member with this address. Otherwise it unsubscribes nobody.
    select coalesce(due.email, member.email), coalesce(member.id, due.id) into email, member_id
      from (values (1)) as one_row
      left join private.members as member on member.id = due.member or member.email = due.email;
  end if;
  return next;
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
  leaving private.members;
begin
  select * into leaving from private.members as member where member.token_hash = leave_waitlist.token_hash;
  -- Locked, and found only if the member has not left and come back in the meantime.
  perform from public.waitlist_emails as entry where entry.email = leaving.email for update;
  if exists (select from private.members as member where member.id = leaving.id) then
    delete from public.waitlist_emails as entry where entry.email = leaving.email;
    insert into private.used_tokens (token_hash, mailbox_hash) values (leaving.token_hash, leaving.mailbox_hash)
      on conflict do nothing;
  end if;
  return query select exists (
    select from private.used_tokens as used where used.token_hash = leave_waitlist.token_hash
      and used.used_at > now() - interval '10 minutes'
      and not exists (select from private.members as member where member.mailbox_hash = used.mailbox_hash));
end;
$function$
;

CREATE OR REPLACE FUNCTION public.lift_brake()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.hours as counted set bounced = 0, complained = 0 where counted.bounced + counted.complained > 0;
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
  select entry.email, private.format_time(entry.created_at), entry.source
  from public.waitlist_emails as entry join private.members as member on member.email = entry.email
  where (entry.created_at, entry.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
    and (not list_members.mailable or not private.is_never_mailed(member.mailbox_hash))
  order by entry.created_at, entry.email limit page_size;
$function$
;

CREATE OR REPLACE FUNCTION public.list_outbox(after_time timestamp with time zone DEFAULT NULL::timestamp with time zone, after_id uuid DEFAULT NULL::uuid, page_size integer DEFAULT 1000)
 RETURNS TABLE(id uuid, email text, announcement text, state text, at text, next_try_at text, tries integer, problem text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select entry.id, entry.address, entry.announcement, entry.state::text, private.format_time(entry.accepted_at),
    case when entry.state = 'waiting' then private.format_time(entry.next_try_at) end, entry.tries, entry.last_problem
  from private.unsent as entry
  where (entry.accepted_at, entry.id)
    > (coalesce(after_time, '-infinity'), coalesce(after_id, '00000000-0000-0000-0000-000000000000'))
  order by entry.accepted_at, entry.id limit page_size;
$function$
;

CREATE OR REPLACE FUNCTION public.list_returned(after_time timestamp with time zone DEFAULT NULL::timestamp with time zone, after_id text DEFAULT NULL::text, page_size integer DEFAULT 1000)
 RETURNS TABLE(id text, email text, announcement text, state text, at text, problem text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select event.id, member.email, entry.announcement, event.kind, private.format_time(event.at), event.problem
  from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
  join private.members as member on member.id = entry.member
  where event.kind <> 'delivered' and (event.at, event.id) > (coalesce(after_time, '-infinity'), coalesce(after_id, ''))
  order by event.at, event.id limit page_size;
$function$
;

CREATE OR REPLACE FUNCTION public.preview_announcement(name text, message text, first integer DEFAULT NULL::integer)
 RETURNS TABLE(recipients bigint, queued_before bigint, never_mailed bigint, waiting_welcomes bigint, per_second integer, is_changed boolean, is_stopped boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    least(count(*) filter (where not member.is_queued and not member.is_never_mailed), preview_announcement.first),
    count(*) filter (where member.is_queued),
    count(*) filter (where not member.is_queued and member.is_never_mailed),
    (select count(*) from private.outbox as welcome
      where welcome.state = 'waiting' and welcome.announcement is null and welcome.member is not null),
    private.limit_of('deliveries'),
    exists (select from private.announcements as known
      where known.name = preview_announcement.name and known.template <> md5(preview_announcement.message)),
    exists (select from private.announcements as known where known.name = preview_announcement.name and known.is_stopped)
  from (
    select entry.id is not null as is_queued, known.mailbox_hash is not null as is_never_mailed
    from private.members as member
    left join private.outbox as entry on entry.member = member.id and entry.announcement = preview_announcement.name
    left join private.never_mailed as known on known.mailbox_hash = member.mailbox_hash
  ) as member;
$function$
;

CREATE OR REPLACE FUNCTION private.count_ahead(welcome private.outbox)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*) from private.outbox as other where other.state = 'waiting' and other.announcement is null
    and (other.turn, other.next_try_at) < (welcome.turn, welcome.next_try_at);
$function$
;

CREATE OR REPLACE FUNCTION private.count_in_hour(refused integer DEFAULT 0, over_ceiling integer DEFAULT 0, sent integer DEFAULT 0, bounced integer DEFAULT 0, complained integer DEFAULT 0)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.hours as counted (hour, refused, over_ceiling, sent, bounced, complained)
    values (date_trunc('hour', clock_timestamp(), 'UTC'), refused, over_ceiling, sent, bounced, complained)
    on conflict (hour) do update set
      refused = counted.refused + excluded.refused, over_ceiling = counted.over_ceiling + excluded.over_ceiling,
      sent = counted.sent + excluded.sent, bounced = counted.bounced + excluded.bounced,
      complained = counted.complained + excluded.complained;
$function$
;

CREATE OR REPLACE FUNCTION private.describe_brake()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when day.bounced >= 10 and day.bounced > day.sent * 0.04
      then format('%s of %s messages of the last day bounced, and Resend tolerates 4 %%', day.bounced, day.sent)
    when day.complained >= 3 and day.complained > day.sent * 0.0008
      then format('%s of %s messages of the last day were marked as spam, and Resend tolerates 0.08 %%', day.complained, day.sent)
    end
  from (
    select sum(counted.sent) as sent, sum(counted.bounced) as bounced, sum(counted.complained) as complained
    from private.hours as counted where counted.hour > now() - interval '1 day'
  ) as day;
$function$
;

CREATE OR REPLACE FUNCTION private.describe_hold_up()
 RETURNS TABLE(paused_until text, problem text, brake text, refused bigint, over_ceiling bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    (select private.format_time(pace.next_delivery_at) from private.pace as pace
      where pace.next_delivery_at > now() + interval '1 minute'),
    (select entry.last_problem from private.outbox as entry
      where entry.state = 'waiting' and entry.last_problem is not null order by entry.next_try_at desc limit 1),
    private.describe_brake(),
    coalesce(sum(counted.refused), 0), coalesce(sum(counted.over_ceiling), 0)
  from private.hours as counted where counted.hour >= date_trunc('day', now(), 'UTC');
$function$
;

CREATE OR REPLACE FUNCTION private.describe_refusal(entry private.outbox)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when private.is_never_mailed(entry.mailbox_hash) then 'the mailbox bounced or complained before: never mailed again'
    when entry.member is null then null
    -- A stranger may sign up any number of spellings of one mailbox. Sent messages count for as long as their members exist.
    when entry.announcement is null and sent.welcomes >= 3 then 'the mailbox already has three welcomes, to other spellings'
    when sent.announcements >= 1 then 'the mailbox already has this announcement, at another spelling'
    end
  from (
    select count(*) filter (where other.announcement is null) as welcomes,
      count(*) filter (where other.announcement = entry.announcement) as announcements
    from private.outbox as other
    where other.mailbox_hash = entry.mailbox_hash and other.id <> entry.id
      and (other.state in ('sent', 'unknown') or other.uncertain_since is not null)
  ) as sent;
$function$
;

CREATE OR REPLACE FUNCTION private.drop_public_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if current_setting('waitlist.inserted', true) = 'yes' then
    raise exception 'one row at a time' using errcode = '22023', hint = 'Send an array of one row.';
  end if;
  perform set_config('waitlist.inserted', 'yes', true);
  -- Before anything reads a text of megabytes.
  if length(new.email) > 320
    or not coalesce(private.is_email_address(private.normalize_email_address(new.email)), false) then
    raise exception 'email is not an email address' using errcode = '22023', hint = 'Send one address, such as name@example.com.';
  end if;
  if new.source is distinct from 'landing_page' then
    raise exception 'source is not landing_page' using errcode = '22023', hint = 'Send the source landing_page.';
  end if;
  return null;
end;
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
RETURN ((length(email) <= 254) AND ((email COLLATE "C") ~ ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'::text || '@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$'::text)) AND (POSITION(('@'::text) IN (email)) <= 65))
;

CREATE OR REPLACE FUNCTION private.is_never_mailed(mailbox_hash text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM private.never_mailed known WHERE (known.mailbox_hash = is_never_mailed.mailbox_hash)))
;

CREATE OR REPLACE FUNCTION private.limit_of(limit_name text)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT limits.value FROM private.limits WHERE (limits.name = limit_of.limit_name))
;

CREATE OR REPLACE FUNCTION private.list_announcements()
 RETURNS TABLE(name text, queued_at text, is_stopped boolean, sent bigint, waiting bigint, refused bigint, unknown bigint, bounced bigint, complained bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select announcement.name, private.format_time(announcement.queued_at), announcement.is_stopped,
    count(*) filter (where entry.state = 'sent'), count(*) filter (where entry.state = 'waiting'),
    count(*) filter (where entry.state = 'refused'), count(*) filter (where entry.state = 'unknown'),
    count(*) filter (where returned.bounced), count(*) filter (where returned.complained)
  from private.announcements as announcement
  left join private.outbox as entry on entry.announcement = announcement.name
  left join (
    select event.delivery, bool_or(event.kind = 'bounced') as bounced, bool_or(event.kind = 'complained') as complained
    from private.delivery_events as event where event.kind <> 'delivered' group by event.delivery
  ) as returned on returned.delivery = entry.id
  group by announcement.name order by announcement.queued_at;
$function$
;

CREATE OR REPLACE FUNCTION private.match_events(provider_message text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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

CREATE OR REPLACE FUNCTION private.schedule_delivery(function_url text, public_key text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_cron', 'pg_net')) = 2 then
    -- Hosted projects load supautils, which writes into this statement. One that PL/pgSQL kept would crash the second call.
    if to_regnamespace('cron') is null then execute 'create extension if not exists pg_cron'; end if;
    -- Not in "public", which the data API serves.
    if to_regnamespace('net') is null then execute 'create extension if not exists pg_net with schema extensions'; end if;
  end if;
  if to_regnamespace('cron') is null or to_regnamespace('net') is null then
    raise notice 'This database has no pg_cron or no pg_net. Make something else call %/deliver every minute.', function_url;
    return false;
  end if;
  -- This replaces a job of the same name.
  perform cron.schedule('deliver-welcomes', '* * * * *', format(
    'select net.http_post(url := %L, headers := %L::jsonb, body := %L::jsonb)', function_url || '/deliver',
    jsonb_build_object('Content-Type', 'application/json', 'apikey', public_key), '{}'));
  -- Nothing else deletes rows from this log, and it grows by about 500,000 rows a year.
  perform cron.schedule('prune-cron-log', '23 4 * * *',
    'delete from cron.job_run_details where end_time < now() - interval ''7 days''');
  return true;
end;
$function$
;

CREATE OR REPLACE FUNCTION private.store_template(message text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.templates (hash, message)
    select md5(store_template.message), store_template.message
    where not exists (select from private.templates as known where known.hash = md5(store_template.message))
    on conflict do nothing;
  select md5(store_template.message);
$function$
;

CREATE OR REPLACE FUNCTION public.queue_announcement(name text, message text, first integer DEFAULT NULL::integer)
 RETURNS TABLE(outcome text, queued bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  template_hash text;
  added bigint;
begin
  -- Another call of this function waits here. Leaving, signing up and delivering do not.
  lock table private.announcements in share row exclusive mode;
  template_hash := private.store_template(queue_announcement.message);
  insert into private.announcements (name, template) values (queue_announcement.name, template_hash)
    on conflict (name) do nothing;
  if not exists (select from private.announcements as known
      where known.name = queue_announcement.name and known.template = template_hash) then
    return query values ('changed', 0::bigint); return;
  end if;
  insert into private.outbox (member, announcement, mailbox_hash)
    select member.id, queue_announcement.name, member.mailbox_hash
    from public.waitlist_emails as listed join private.members as member on member.email = listed.email
    where not exists (select from private.outbox as entry
        where entry.member = member.id and entry.announcement = queue_announcement.name)
      and not exists (select from private.never_mailed as known where known.mailbox_hash = member.mailbox_hash)
    order by listed.created_at, listed.email limit queue_announcement.first
    -- Waits for members who are leaving, and then skips them.
    for key share of member;
  get diagnostics added = row_count;
  -- Otherwise the planner expects hardly any rows of announcements.
  analyze private.outbox;
  return query values ('queued', added);
end;
$function$
;

CREATE OR REPLACE FUNCTION public.queue_test(message text, email text)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- What interrupted tests left behind.
  delete from private.outbox as entry where entry.email is not null and entry.accepted_at < now() - interval '1 hour';
  insert into private.outbox (email, template, turn, mailbox_hash)
    select recipient, private.store_template(queue_test.message), -1, member.mailbox_hash
    from private.normalize_email_address(queue_test.email) as recipient
    left join private.members as member on member.email = recipient
    returning id;
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
  alike uuid[];
begin
  -- Locks the pace before the message, in the same order as a lease, so that the two cannot deadlock.
  if outcome in ('sent', 'refused') then
    -- The provider accepted the key and the sender.
    update private.pace set refused_alike = '{}' where refused_alike <> '{}';
  elsif outcome = 'postponed' then
    update private.pace
      set next_delivery_at = greatest(next_delivery_at, now_is + make_interval(secs => retry_after)) where only_row;
  elsif outcome in ('blocked', 'rejected') then
    update private.pace
      set refused_with = problem, refused_alike = array_remove(
        case when refused_with is not distinct from problem then refused_alike else '{}' end, delivery) || delivery
      where only_row
      returning refused_alike into alike;
    update private.pace
      set next_delivery_at = greatest(next_delivery_at, now_is + interval '5 minutes'),
        refused_alike = alike[cardinality(alike) - 2:] where cardinality(alike) >= 3;
  end if;

  -- Locks the member first, as leaving does. Otherwise the two could deadlock: PostgreSQL looks for the member of a row that
  -- changes twice in a transaction.
  perform from private.members as member
    where member.id = (select entry.member from private.outbox as entry where entry.id = delivery) for key share;
  if outcome = 'sent' then
    update private.outbox as entry
      set state = 'sent', sent_at = now_is, provider_id = provider_message,
        lease = null, leased_until = null, uncertain_since = null, last_problem = null
      where entry.id = record_delivery.delivery and entry.state <> 'sent';
    if found then
      perform private.match_events(provider_message);
      perform private.count_in_hour(sent => 1);
    end if;
    return;
  end if;

  update private.outbox as entry
    set state = case when outcome in ('refused', 'rejected') then 'refused'::private.delivery_state else 'waiting' end,
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
  -- A new id, because the provider may remember the old one together with its refusal.
  update private.outbox as entry
    set id = gen_random_uuid(), state = 'waiting', tries = 0, uncertain_since = null, next_try_at = now_is + interval '5 minutes'
    where cardinality(alike) >= 3 and entry.id = any (alike) and entry.state = 'refused';
end;
$function$
;

CREATE OR REPLACE FUNCTION public.record_delivery_event(event_id text, provider_message text, kind text, occurred_at timestamp with time zone, problem text, mailbox_hash text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.remove_member(email text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with removed as (
    delete from public.waitlist_emails where waitlist_emails.email = private.normalize_email_address($1) returning 1
  ) select exists (select from removed);
$function$
;

CREATE OR REPLACE FUNCTION public.remove_undelivered(joined_from timestamp with time zone, joined_until timestamp with time zone, is_preview boolean DEFAULT true)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  emails text[];
begin
  -- Waits for queue_announcement, which locks many members, too.
  lock table private.announcements in share row exclusive mode;
  select coalesce(array_agg(member.email), '{}') into emails
    from public.waitlist_emails as listed join private.members as member on member.email = listed.email
    join private.outbox as welcome on welcome.member = member.id and welcome.announcement is null
    where listed.created_at >= joined_from and listed.created_at < joined_until
      and (welcome.state <> 'sent' or exists (
        select from private.delivery_events as event
        where event.delivery = welcome.id and event.kind in ('bounced', 'suppressed') and event.is_final));
  if not is_preview then
    delete from public.waitlist_emails as listed where listed.email = any (emails);
  end if;
  return cardinality(emails);
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
  with failed as (
    select entry.id from private.outbox as entry join private.unsent on unsent.id = entry.id
    where (entry.state = 'refused' or (with_unknown and entry.state = 'unknown')) and private.describe_refusal(entry) is null
      and (retry_outbox.email is null or unsent.address = private.normalize_email_address(retry_outbox.email))
    for update of entry skip locked
  )
  -- A new id, because the provider remembers the old one together with its refusal.
  update private.outbox as entry
    set id = gen_random_uuid(), state = 'waiting', next_try_at = now(), tries = 0, blocks = 0,
      uncertain_since = null, last_problem = null
    where entry.id in (select failed.id from failed);
  get diagnostics changed = row_count;
  return changed;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.set_limit(name text, value integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.limits as entry set value = set_limit.value where entry.name = set_limit.name;
$function$
;

CREATE OR REPLACE FUNCTION public.stop_announcement(name text, is_stopped boolean)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with changed as (
    update private.announcements set is_stopped = $2 where announcements.name = $1 returning 1
  ) select exists (select from changed);
$function$
;

CREATE OR REPLACE FUNCTION public.summarize_waitlist()
 RETURNS TABLE(members bigint, never_mailed bigint, waiting bigint, waiting_since text, waiting_announcements bigint, refused bigint, unknown bigint, returned jsonb, days jsonb, announcements jsonb, per_second integer, paused_until text, problem text, brake text, refused_today bigint, over_ceiling_today bigint, unknown_callers bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    public.count_members(),
    (select count(*) from private.never_mailed as known join private.members as member using (mailbox_hash)),
    unsent.waiting, private.format_time(unsent.waiting_since), running.waiting, unsent.refused, unsent.unknown,
    (select coalesce(jsonb_object_agg(by_kind.kind, by_kind.members), '{}')
      from (select event.kind, count(distinct entry.member) as members
        from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
        where event.kind <> 'delivered' and entry.member is not null group by event.kind) as by_kind),
    (select jsonb_agg(jsonb_build_object('day', to_char(day.starts at time zone 'UTC', 'YYYY-MM-DD'),
        'joined', (select count(*) from public.waitlist_emails as entry
          where entry.created_at >= day.starts and entry.created_at < day.starts + interval '1 day'),
        'refused', (select coalesce(sum(counted.refused), 0) from private.hours as counted
          where counted.hour >= day.starts and counted.hour < day.starts + interval '1 day')) order by day.starts)
      from (select date_trunc('day', now(), 'UTC') - interval '1 day' * ago as starts from generate_series(0, 13) as ago) as day),
    running.announcements, private.limit_of('deliveries'),
    held.paused_until, held.problem, held.brake, held.refused, held.over_ceiling,
    (select count(*) from private.calls as call where call.caller_hash is null)
  from private.describe_hold_up() as held
  cross join lateral (
    select count(*) filter (where entry.state = 'waiting' and entry.announcement is null) as waiting,
      min(entry.accepted_at) filter (where entry.state = 'waiting' and entry.announcement is null) as waiting_since,
      count(*) filter (where entry.state = 'refused') as refused, count(*) filter (where entry.state = 'unknown') as unknown
    from private.unsent as entry
  ) as unsent
  cross join lateral (
    select coalesce(sum(announcement.waiting) filter (where not announcement.is_stopped), 0)::bigint as waiting,
      coalesce(jsonb_agg(announcement), '[]') as announcements
    from private.list_announcements() as announcement
  ) as running;
$function$
;

-- Triggers

CREATE TRIGGER drop_public_insert BEFORE INSERT ON public.waitlist_emails FOR EACH ROW WHEN (row_security_active('public.waitlist_emails'::text)) EXECUTE FUNCTION private.drop_public_insert();

-- Policies

-- Grants to the roles of the data API

grant insert (email, created_at, source) on waitlist_emails to anon;

grant execute on function accept_sign_up(text,text,uuid,text,text,text,text) to service_role;

grant execute on function count_members() to service_role;

grant execute on function find_member(text) to service_role;

grant execute on function find_template(text) to service_role;

grant execute on function find_test(uuid) to service_role;

grant execute on function forget_probe(text) to service_role;

grant execute on function forget_test(uuid) to service_role;

grant execute on function forgive(text,text) to service_role;

grant execute on function inspect_sign_up(text) to service_role;

grant execute on function lease_delivery() to service_role;

grant execute on function leave_waitlist(text) to service_role;

grant execute on function lift_brake() to service_role;

grant execute on function list_limits() to service_role;

grant execute on function list_members(boolean,timestamp with time zone,text,integer) to service_role;

grant execute on function list_outbox(timestamp with time zone,uuid,integer) to service_role;

grant execute on function list_returned(timestamp with time zone,text,integer) to service_role;

grant execute on function preview_announcement(text,text,integer) to service_role;

grant execute on function queue_announcement(text,text,integer) to service_role;

grant execute on function queue_test(text,text) to service_role;

grant execute on function record_delivery(uuid,uuid,text,text,text,integer) to service_role;

grant execute on function record_delivery_event(text,text,text,timestamp with time zone,text,text) to service_role;

grant execute on function remove_member(text) to service_role;

grant execute on function remove_undelivered(timestamp with time zone,timestamp with time zone,boolean) to service_role;

grant execute on function retry_outbox(text,boolean) to service_role;

grant execute on function set_limit(text,integer) to service_role;

grant execute on function stop_announcement(text,boolean) to service_role;

grant execute on function summarize_waitlist() to service_role;
