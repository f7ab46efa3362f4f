-- Functions for the owner's program and for the probe of a deployment. Each list is one value, because the data API returns at most
-- a thousand rows.

-- Returns the members who may be mailed, oldest first, with the names of the announcements that each of them got.
create or replace function public.list_members() returns json language sql stable security definer set search_path = '' as $$
  select coalesce(json_agg(found order by found.created_at, found.email), '[]') from (
    select listed.email, listed.created_at, listed.source, (
        select string_agg(message.announcement, ' ' order by message.sent_at, message.announcement)
        from private.outbox as message
        where message.member = member.id and message.announcement is not null and message.state = 'sent') as announcements
    from public.waitlist_emails as listed join private.members as member on member.email = listed.email
    where not private.is_never_mailed(member)
  ) as found;
$$;

-- Returns since when nothing has been sent, if messages have been due for a quarter of an hour, no pause holds them up, and either
-- nobody asks for them or each try fails. Otherwise null.
create or replace function private.find_silence() returns timestamptz language sql stable set search_path = '' as $$
  select coalesce(max(entry.sent_at), min(entry.accepted_at) filter (where entry.state = 'waiting'))
  from private.outbox as entry cross join private.pace
  left join private.announcements as announcement on announcement.name = entry.announcement
  where pace.problem is null or pace.next_delivery_at < now()
  having coalesce(max(entry.sent_at), '-infinity') < now() - interval '15 minutes'
    and bool_or(entry.state = 'waiting' and announcement.is_stopped is not true and (
      greatest(entry.next_try_at, pace.next_delivery_at) < now() - interval '15 minutes'
      -- A message that waits for hours after email.failed has a rejection, but not of a call.
      or entry.tries > entry.rejections and (entry.rejections = 0 or entry.rejected_at is not null)
        and entry.accepted_at < now() - interval '15 minutes'));
$$;

-- Returns the figures of the owner's summary. `days` has the last days (UTC), oldest first: who joined and is still on the
-- list, and how many mailboxes left. `waiting` counts welcomes, and `ahead` these and the places of known addresses. `paused_until` is set
-- while nothing is sent, and after that until the clock calls. `refused_today` counts the calls that a limit refused, and
-- `unknown_callers` the calls of the last hour without the caller's IP address. What came back counts for 30 days after the member left.
create or replace function public.summarize_waitlist(days int default 14) returns json
language sql stable security definer set search_path = '' as $$
  select to_json(summary) from (
    select
      (select count(*) from public.waitlist_emails) as members,
      (select count(*) from private.members as member where private.is_never_mailed(member)) as never_mailed,
      (select json_agg(json_build_object('day', (day at time zone 'UTC')::date,
          'joined', (select count(*) from public.waitlist_emails as listed
            where listed.created_at >= day and listed.created_at < day + interval '24 hours'),
          'unsubscribed', (select coalesce(sum(counted.unsubscribed), 0) from private.hours as counted
            where counted.hour >= day and counted.hour < day + interval '24 hours')))
        from generate_series(date_trunc('day', now(), 'UTC') - interval '24 hours' * (summarize_waitlist.days - 1), now(),
          interval '24 hours') as day) as days,
      messages.*, returned.*,
      (select coalesce(json_agg(running), '[]') from (
        select announced.name, announced.template, announced.is_stopped, announced.stopped_because, reported.*,
          count(*) filter (where entry.state = 'sent') as sent, count(*) filter (where entry.state = 'waiting') as waiting,
          count(*) filter (where entry.state = 'refused') as refused, count(*) filter (where entry.state = 'unknown') as unknown
        from private.announcements as announced left join private.outbox as entry
          on entry.announcement = announced.name and (entry.state = 'sent' or entry.left_at is null)
        cross join lateral (
          select count(*) filter (where event.kind = 'bounced') as bounced,
            count(*) filter (where event.kind = 'complained') as complained
          from private.delivery_events as event join private.outbox as message on message.id = event.delivery
          where message.announcement = announced.name and event.is_final and event.kind <> 'delivered'
        ) as reported
        group by announced.name, reported.bounced, reported.complained order by announced.queued_at
      ) as running) as announcements,
      private.limit_of('deliveries') as per_second, private.limit_of('sign_ups') = 0 as is_closed,
      case when pace.is_paused then pace.next_delivery_at end as paused_until,
      case when pace.is_paused then pace.problem else pace.last_problem end as problem,
      -- Each delivery takes stock, and the clock starts one every minute.
      pace.brake, coalesce(private.find_silence(), (
        select pace.counted_at where pace.counted_at > '-infinity' and pace.counted_at < now() - interval '15 minutes')) as silent_since,
      current_setting('default_transaction_read_only')::boolean as is_read_only,
      (select coalesce(sum(counted.refused), 0) from private.hours as counted
        where counted.hour >= date_trunc('day', now(), 'UTC')) as refused_today,
      (select count(*) from private.calls as call
        where call.caller_hash is null and call.at > now() - interval '1 hour') as unknown_callers,
      (select to_json(deployed) from private.deployment as deployed) as deployment
    from (
      select pace.*, last.last_problem, pace.problem is not null and (
          -- Longer than the time between two messages, which sets it, too.
          pace.next_delivery_at > now() + interval '1 second'
          -- Over, but the clock has not called since.
          or pace.next_delivery_at > now() - interval '2 minutes' and pace.problem = last.last_problem) as is_paused
      from private.pace left join (
        select entry.last_problem from private.outbox as entry
        where entry.state = 'waiting' and entry.last_problem is not null order by entry.tried_at desc limit 1
      ) as last on true
    ) as pace cross join (
      select count(entry.member) filter (where entry.state = 'waiting' and entry.announcement is null) as waiting,
        count(*) filter (where entry.state = 'waiting' and entry.announcement is null) as ahead,
        count(*) filter (where entry.state = 'refused') as refused, count(*) filter (where entry.state = 'unknown') as unknown
      from private.outbox as entry where entry.left_at is null
    ) as messages cross join (
      select count(distinct entry.member) filter (where event.kind = 'bounced') as bounced,
        count(distinct entry.member) filter (where event.kind = 'complained') as complained
      from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
      where event.kind in ('bounced', 'complained')
    ) as returned
  ) as summary;
$$;

-- Returns everything about one member, or null if there is none: what happened, oldest first, and the messages. In the same second,
-- "sent" comes before what was reported. `next_try_at` is null while it is due: the second between two messages is no pause.
create or replace function public.find_member(email text) returns json language sql stable security definer set search_path = '' as $$
  select json_build_object('email', member.email, 'id', member.id, 'is_never_mailed', private.is_never_mailed(member),
    'history', (select json_agg(json_build_object('at', past.at, 'what', past.what, 'problem', past.problem)
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
    'messages', (select json_agg(json_build_object(
        'announcement', entry.announcement, 'state', entry.state, 'problem', entry.last_problem, 'tries', entry.tries,
        'is_stopped', exists (select from private.announcements as known where known.name = entry.announcement and known.is_stopped),
        'next_try_at', case entry.state when 'waiting' then nullif(greatest(entry.next_try_at, next_delivery_at, soon), soon) end
      ) order by entry.announcement is not null, entry.accepted_at)
      from private.outbox as entry cross join private.pace cross join (select now() + interval '1 second') as later (soon)
      where entry.member = member.id))
  from private.members as member
  where member.email = private.normalize_email_address(find_member.email);
$$;

-- Returns the fingerprint of the secret that made the hashes; null before the first deployment.
create or replace function public.read_fingerprint() returns text language sql stable security definer set search_path = ''
return (select secret_fingerprint from private.deployment);

-- Returns every address on the list that has one of these mailboxes, or that of one of these addresses, in the order of joining.
create or replace function public.list_mailboxes(emails text[], mailboxes text[]) returns json
language sql stable security definer set search_path = '' as $$
  select coalesce(json_agg(listed.email order by listed.created_at, listed.email), '[]')
  from private.members as member join public.waitlist_emails as listed on listed.email = member.email
  where member.mailbox_hash in (
    select unnest(mailboxes) union select known.mailbox_hash from private.members as known where known.email = any (emails));
$$;

-- Members who certainly never got a message although it was tried, and why: `refused` or `came back`. A message that may have
-- arrived counts as one that did.
create or replace view private.undelivered as
  select listed.email, listed.created_at, case welcome.state when 'sent' then 'came back' else 'refused' end as kind
  from public.waitlist_emails as listed join private.members as person on person.email = listed.email
  join private.outbox as welcome on welcome.member = person.id and welcome.announcement is null
  where (welcome.state = 'refused' and welcome.tries + welcome.rejections > 0
      or welcome.state = 'sent' and private.is_never_mailed(person))
    and not exists (select from private.had as message where message.member = person.id);

-- Removes addresses from the list and the outbox, and returns how many were there. With `only_undelivered`, those stay that got a
-- message after all, or joined again.
create or replace function public.remove_members(emails text[], only_undelivered boolean default false) returns int
language sql security definer set search_path = '' as $$
  with leaving as (
    select listed.email from public.waitlist_emails as listed
    where listed.email = any (emails)
      and (not only_undelivered or exists (select from private.undelivered as found where found.email = listed.email))
    order by listed.created_at, listed.email for update
  ), removed as (
    delete from public.waitlist_emails as listed where listed.email in (select leaving.email from leaving) returning 1
  ) select count(*)::int from removed;
$$;

-- Adds hashes to those that are never mailed, or removes them. Returns whether that changed anything. A member's own hashes differ
-- if TOKEN_SECRET was lost since. `retry_outbox` queues what was refused meanwhile.
create or replace function public.set_barred(hashes text[], is_barred boolean, email text default null) returns boolean
language sql security definer set search_path = '' as $$
  with meant as (
    select unnest(hashes) as hash union
    select unnest(case when is_barred then array[member.mailbox_hash] else array[member.address_hash, member.mailbox_hash] end)
    from private.members as member where member.email = set_barred.email
  ), added as (
    insert into private.never_mailed (hash) select meant.hash from meant where is_barred on conflict do nothing returning 1
  ), removed as (
    delete from private.never_mailed as known using meant where not is_barred and known.hash = meant.hash returning 1
  ) select exists (select from added) or exists (select from removed);
$$;

create or replace function public.is_barred(hashes text[]) returns boolean language sql stable security definer set search_path = ''
return exists (select from private.never_mailed as known where known.hash = any (hashes));

-- Deletes the messages of a stopped announcement that certainly nobody got, and returns how many. Skips members who are leaving.
create or replace function public.discard_announcement(name text) returns int language sql security definer set search_path = '' as $$
  with discarded as (
    delete from private.outbox where id in (select entry.id from private.outbox as entry join private.announcements as stopped
      on stopped.name = $1 and stopped.is_stopped and entry.announcement = stopped.name and entry.state = 'waiting'
        and entry.uncertain_since is null for update of entry skip locked) returning 1
  ) select count(*)::int from discarded;
$$;

-- Returns what a bot left behind: the members who joined in a certain time and never got a message, oldest first.
create or replace function public.list_undelivered(joined_from timestamptz, joined_until timestamptz) returns json
language sql stable security definer set search_path = '' as $$
  select coalesce(json_agg(found order by found.created_at, found.email), '[]') from private.undelivered as found
  where found.created_at >= joined_from and found.created_at < joined_until;
$$;

-- Ends the brake and the wait for the provider. What came back until now no longer counts for the brake.
create or replace function public.resume_deliveries() returns void language sql security definer set search_path = '' as $$
  update private.pace set problem = null, brake = null, resumed_at = now(), next_delivery_at = now(),
    counted_at = now() - interval '1 minute' where only_row;
$$;

-- Returns the messages that were not sent or came back, oldest first, without announcements that only wait: they may be many.
create or replace function public.list_outbox() returns json language sql stable security definer set search_path = '' as $$
  select coalesce(json_agg(found order by found.at, found.id), '[]') from (
    select entry.id, member.email, entry.announcement, entry.state::text, entry.accepted_at as at, entry.tries,
      case entry.state when 'waiting' then nullif(greatest(entry.next_try_at, next_delivery_at, soon), soon) end as next_try_at,
      entry.last_problem as problem
    from private.outbox as entry join private.members as member on member.id = entry.member cross join private.pace
    cross join (select now() + interval '1 second') as later (soon)
    where entry.state <> 'sent' and (entry.announcement is null or entry.state <> 'waiting' or entry.last_problem is not null)
    union all
    select entry.id, member.email, entry.announcement, event.kind, event.at, null, null, event.problem
    from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
    join private.members as member on member.id = entry.member
    where event.kind <> 'delivered' and (event.kind <> 'failed' or entry.state <> 'sent')
  ) as found;
$$;

-- Queues messages again that were refused or are unknown, and returns how many. A welcome gets the text of the newest sign-up:
-- its own may be why it was refused. Skips messages that the next lease would refuse, and those whose members are leaving.
create or replace function public.retry_outbox(ids uuid[]) returns int language sql security definer set search_path = '' as $$
  with failed as (
    select entry.id from private.outbox as entry
    where entry.id = any (ids) and entry.state in ('refused', 'unknown') and entry.left_at is null
      and private.describe_refusal(entry) is null
    for update skip locked
  ), queued as (
    -- A new id, because the provider remembers the old one together with its refusal.
    update private.outbox as entry
      set id = gen_random_uuid(), state = 'waiting', next_try_at = now(), tries = 0, rejections = 0,
        rejected_at = null, uncertain_since = case when entry.state = 'unknown' then now() end, last_problem = null,
        template = case when entry.announcement is null then (select newest.template from private.outbox as newest
          where newest.template is not null order by newest.accepted_at desc limit 1) end
      where entry.id in (select failed.id from failed) returning 1
  ) select count(*)::int from queued;
$$;

create or replace function public.list_limits() returns json language sql stable security definer set search_path = ''
return (select json_agg(entry order by entry.name) from private.limits as entry);

create or replace function public.set_limit(name text, value int) returns void language sql security definer set search_path = '' as $$
  update private.limits as entry set value = set_limit.value where entry.name = set_limit.name;
$$;
