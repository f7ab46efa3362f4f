-- Functions for the owner's command line and for the probe of a deployment.

-- With microseconds, which most clients round: a rounded time cannot mark where a page ended.
create function private.format_time(moment timestamptz) returns text language sql stable strict set search_path = ''
return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- Returns one page of the members who may be mailed, oldest first, with the names of the announcements that each of them got.
create function public.list_members(
  after_time timestamptz default null, after_email text default null, page_size int default 1000
) returns table (email text, created_at text, source text, announcements text)
language sql stable security definer set search_path = '' as $$
  select entry.email, private.format_time(entry.created_at), entry.source,
    (select string_agg(message.announcement, ' ' order by message.sent_at, message.announcement)
      from private.outbox as message
      where message.member = member.id and message.announcement is not null and message.state = 'sent')
  from public.waitlist_emails as entry join private.members as member on member.email = entry.email
  where (entry.created_at, entry.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
    and not private.is_never_mailed(member)
  order by entry.created_at, entry.email limit page_size;
$$;

-- Returns why one message every three minutes is tried, or else the latest problem of a waiting message.
create function private.find_problem() returns text language sql stable set search_path = '' as $$
  select coalesce((select pace.problem from private.pace as pace where pace.failures >= 3),
    (select entry.last_problem from private.outbox as entry
      where entry.state = 'waiting' and entry.last_problem is not null order by entry.next_try_at desc limit 1));
$$;

-- Returns all announcements with their figures. `refused` includes those who bounced or complained before their turn, and
-- `unsubscribed` counts who left in the week after it was queued.
create function private.list_announcements() returns table (
  name text, is_stopped boolean, stopped_because text,
  sent bigint, waiting bigint, refused bigint, unknown bigint, bounced bigint, complained bigint, unsubscribed bigint
) language sql stable set search_path = '' as $$
  select announcement.name, announcement.is_stopped, announcement.stopped_because,
    count(*) filter (where entry.state = 'sent'), count(*) filter (where entry.state = 'waiting'),
    count(*) filter (where entry.state = 'refused'), count(*) filter (where entry.state = 'unknown'),
    count(*) filter (where returned.bounced), count(*) filter (where returned.complained),
    (select coalesce(sum(counted.unsubscribed), 0) from private.hours as counted
      where counted.hour >= date_trunc('hour', announcement.queued_at, 'UTC')
        and counted.hour < announcement.queued_at + interval '7 days')
  from private.announcements as announcement
  left join private.outbox as entry on entry.announcement = announcement.name
  left join (
    select event.delivery, bool_or(event.kind = 'bounced') as bounced, bool_or(event.kind = 'complained') as complained
    from private.delivery_events as event where event.kind <> 'delivered' group by event.delivery
  ) as returned on returned.delivery = entry.id
  group by announcement.name order by announcement.queued_at;
$$;

create function private.count_ahead(welcome private.outbox) returns bigint language sql stable set search_path = '' as $$
  select count(*) from private.outbox as other where other.state = 'waiting' and other.announcement is null
    and (other.turn, other.next_try_at) < (welcome.turn, welcome.next_try_at);
$$;

-- Returns since when nothing has been sent, or null if all is well: messages have been due for a quarter of an hour, no pause
-- holds them up, and either nobody asked for them or each try fails.
create function private.find_silence() returns timestamptz language sql stable set search_path = '' as $$
  select coalesce(max(entry.sent_at), min(entry.accepted_at) filter (where entry.state = 'waiting'))
  from private.outbox as entry cross join private.pace
  left join private.announcements as announcement on announcement.name = entry.announcement
  where pace.failures < 3 and pace.next_delivery_at < now() + interval '1 minute'
  having coalesce(max(entry.sent_at), '-infinity') < now() - interval '15 minutes'
    and bool_or(entry.state = 'waiting' and announcement.is_stopped is not true and (
      greatest(entry.next_try_at, pace.next_delivery_at) < now() - interval '15 minutes'
      or entry.tries > 0 and entry.accepted_at < now() - interval '15 minutes'));
$$;

-- Returns the figures of the owner's summary. `days` has the last days (UTC), oldest first: who joined and is still on the
-- list, and who unsubscribed. `waiting` counts welcomes, `ahead` these and the places of known addresses, and `returned` members by
-- kind of event. `paused_until` is set while nothing is sent. `refused_today` counts the calls that a limit refused, and
-- `unknown_callers` the calls of the last hour without the caller's IP address.
create function public.summarize_waitlist(days int default 14) returns table (
  members bigint, never_mailed bigint, waiting bigint, waiting_since text, ahead bigint,
  refused bigint, unknown bigint, returned jsonb, days jsonb, announcements jsonb,
  per_second int, paused_until text, problem text, brake text, silent_since text, is_read_only boolean,
  refused_today bigint, unknown_callers bigint
) language sql stable security definer set search_path = '' as $$
  select
    (select count(*) from public.waitlist_emails),
    (select count(*) from private.members as member
      where member.address_hash in (select hash from private.never_mailed)
        or member.mailbox_hash in (select hash from private.never_mailed)),
    unsent.waiting, private.format_time(unsent.waiting_since), unsent.ahead, unsent.refused, unsent.unknown,
    (select coalesce(jsonb_object_agg(by_kind.kind, by_kind.members), '{}')
      from (select event.kind, count(distinct entry.member) as members
        from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
        where event.kind <> 'delivered' and entry.member is not null group by event.kind) as by_kind),
    (select jsonb_agg(jsonb_build_object('day', to_char(day.starts at time zone 'UTC', 'YYYY-MM-DD'),
        'joined', (select count(*) from public.waitlist_emails as entry
          where entry.created_at >= day.starts and entry.created_at < day.ends),
        'unsubscribed', (select coalesce(sum(counted.unsubscribed), 0) from private.hours as counted
          where counted.hour >= day.starts and counted.hour < day.ends)) order by day.starts)
      from (
        select date_trunc('day', now(), 'UTC') - interval '24 hours' * ago as starts,
          date_trunc('day', now(), 'UTC') - interval '24 hours' * (ago - 1) as ends
        from generate_series(0, summarize_waitlist.days - 1) as ago
      ) as day),
    (select coalesce(jsonb_agg(announcement), '[]') from private.list_announcements() as announcement),
    private.limit_of('deliveries'),
    (select private.format_time(pace.next_delivery_at) from private.pace as pace
      where pace.next_delivery_at > now() + interval '1 minute'),
    private.find_problem(), private.describe_brake(), private.format_time(private.find_silence()),
    current_setting('default_transaction_read_only')::boolean,
    (select coalesce(sum(counted.refused), 0) from private.hours as counted
      where counted.hour >= date_trunc('day', now(), 'UTC')),
    (select count(*) from private.calls as call where call.caller_hash is null)
  from (
    select count(*) filter (where entry.state = 'waiting' and entry.announcement is null) as waiting,
      min(entry.accepted_at) filter (where entry.state = 'waiting' and entry.announcement is null) as waiting_since,
      (select count(*) from private.outbox as turn where turn.state = 'waiting' and turn.announcement is null) as ahead,
      count(*) filter (where entry.state = 'refused') as refused, count(*) filter (where entry.state = 'unknown') as unknown
    from private.unsent as entry
  ) as unsent;
$$;

-- Returns everything about one member, or no row if there is none: what happened, oldest first, and the messages. Within a
-- second, a message is sent before it comes back, because clocks differ a little. `next_try_at` is set while a message waits
-- for a time, and `ahead` counts the welcomes and places that come before this one.
create function public.find_member(email text)
returns table (email text, id uuid, is_never_mailed boolean, history jsonb, messages jsonb)
language sql stable security definer set search_path = '' as $$
  select member.email, member.id, private.is_never_mailed(member),
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
        'announcement', entry.announcement, 'state', entry.state, 'problem', entry.last_problem, 'tries', entry.tries,
        'is_stopped', exists (select from private.announcements as known where known.name = entry.announcement and known.is_stopped),
        'next_try_at', case when entry.state = 'waiting' and entry.next_try_at > now()
          then private.format_time(entry.next_try_at) end,
        'ahead', case when entry.state = 'waiting' and entry.announcement is null then private.count_ahead(entry) end
      ) order by entry.announcement is not null, entry.accepted_at), '[]')
      from private.outbox as entry where entry.member = member.id)
  from private.members as member
  where member.email = private.normalize_email_address(find_member.email);
$$;

-- Removes an address from the list and the outbox, and returns whether it was there.
create function public.remove_member(email text) returns boolean language sql security definer set search_path = '' as $$
  with removed as (
    delete from public.waitlist_emails where waitlist_emails.email = private.normalize_email_address($1) returning 1
  ) select exists (select from removed);
$$;

-- Members who certainly never got a message, and why: `refused` after a try, `came back`, or `not tried`. A message that may
-- have arrived counts as one that did.
create view private.undelivered as
  select person.id, person.email, listed.created_at, case when welcome.state = 'sent' then 'came back'
      when welcome.tries + welcome.rejections + welcome.resends > 0 then 'refused' else 'not tried' end as kind
  from public.waitlist_emails as listed join private.members as person on person.email = listed.email
  join private.outbox as welcome on welcome.member = person.id and welcome.announcement is null
  where (welcome.state = 'refused' or welcome.state = 'waiting' and welcome.tries = 0 and welcome.last_problem is null
      or welcome.state = 'sent' and private.is_never_mailed(person))
    and not exists (
      select from private.outbox as message left join private.delivery_events as event on event.delivery = message.id
      where message.member = person.id
        and (message.state in ('sent', 'unknown') or message.uncertain_since is not null)
      group by message.id
      having bool_or(event.kind = 'delivered') or bool_or(event.kind in ('bounced', 'suppressed') and event.is_final) is not true);

-- Returns one page of what a bot left behind: the members who joined in a certain time and never got a message, oldest first.
create function public.list_undelivered(
  joined_from timestamptz, joined_until timestamptz, with_waiting boolean default false,
  after_time timestamptz default null, after_email text default null, page_size int default 1000
) returns table (id uuid, email text, created_at text, kind text) language sql stable security definer set search_path = '' as $$
  select found.id, found.email, private.format_time(found.created_at), found.kind
  from private.undelivered as found
  where found.created_at >= joined_from and found.created_at < joined_until
    and (with_waiting or found.kind <> 'not tried')
    and (found.created_at, found.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
  order by found.created_at, found.email limit page_size;
$$;

-- Removes the members in this list who still never got a message, and returns how many. Members who are leaving, or whose
-- message is on its way at this moment, stay.
create function public.remove_undelivered(ids uuid[]) returns int
language plpgsql security definer set search_path = '' as $$
declare
  locked uuid[];
  removed int;
begin
  -- In the order of leaving: the list, the member, the messages. A lease skips what is locked here.
  select array_agg(found.id) into locked from (
    select member.id from public.waitlist_emails as listed join private.members as member on member.email = listed.email
    where member.id = any (ids) for update of listed, member skip locked
  ) as found;
  perform from private.outbox as message where message.member = any (locked) for update;
  delete from public.waitlist_emails as listed using private.undelivered as found
    where found.id = any (locked) and listed.email = found.email;
  get diagnostics removed = row_count;
  return removed;
end;
$$;

-- Ends the brake and the wait for the provider. What came back until now no longer counts for the brake.
create function public.resume_deliveries() returns void language sql security definer set search_path = '' as $$
  update private.hours as counted set bounced = 0, complained = 0 where counted.hour > now() - interval '3 days';
  update private.pace as pace set failures = 0, problem = null, next_delivery_at = now() where pace.only_row;
  -- What the provider postponed waits by itself. In one portion, because leases wait for this: the rest is due within the hour.
  update private.outbox as entry set next_try_at = now() where entry.id in (
    select held.id from private.outbox as held
    where held.state = 'waiting' and held.lease is null and held.next_try_at > now()
    limit 10000 for update skip locked);
$$;

-- Returns one page of the messages that were not sent, oldest first.
create function public.list_outbox(after_time timestamptz default null, after_id uuid default null, page_size int default 1000)
returns table (id uuid, email text, announcement text, state text, at text, next_try_at text, tries int, problem text)
language sql stable security definer set search_path = '' as $$
  select entry.id, entry.address, entry.announcement, entry.state::text, private.format_time(entry.accepted_at),
    case when entry.state = 'waiting' then private.format_time(entry.next_try_at) end, entry.tries, entry.last_problem
  from private.unsent as entry
  where (entry.accepted_at, entry.id)
    > (coalesce(after_time, '-infinity'), coalesce(after_id, '00000000-0000-0000-0000-000000000000'))
  order by entry.accepted_at, entry.id limit page_size;
$$;

-- Returns one page of the messages that were sent and came back, oldest first.
create function public.list_returned(after_time timestamptz default null, after_id text default null, page_size int default 1000)
returns table (id text, email text, announcement text, state text, at text, problem text)
language sql stable security definer set search_path = '' as $$
  select event.id, member.email, entry.announcement, event.kind, private.format_time(event.at), event.problem
  from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
  join private.members as member on member.id = entry.member
  where event.kind <> 'delivered' and (event.at, event.id) > (coalesce(after_time, '-infinity'), coalesce(after_id, ''))
  order by event.at, event.id limit page_size;
$$;

-- Sends one page of refused messages again, oldest first, and unknown ones only on request, because they may arrive twice. Skips
-- messages that the next lease would refuse, and those whose members are leaving. Returns how many, and where the page ended.
create function public.retry_outbox(
  email text default null, with_unknown boolean default false,
  after_time timestamptz default null, after_id uuid default null
) returns table (retried int, at text, id uuid) language sql security definer set search_path = '' as $$
  with page as (
    select entry.id, entry.accepted_at from private.unsent as entry
    where (entry.state = 'refused' or (with_unknown and entry.state = 'unknown'))
      and (retry_outbox.email is null or entry.address = private.normalize_email_address(retry_outbox.email))
      and (entry.accepted_at, entry.id)
        > (coalesce(after_time, '-infinity'), coalesce(after_id, '00000000-0000-0000-0000-000000000000'))
    order by entry.accepted_at, entry.id limit 1000
  ), failed as (
    select entry.id from private.outbox as entry join page on page.id = entry.id
    where entry.state in ('refused', 'unknown') and private.describe_refusal(entry) is null
    for update of entry skip locked
  ), queued as (
    -- A new id, because the provider remembers the old one together with its refusal.
    update private.outbox as entry
      set id = gen_random_uuid(), state = 'waiting', next_try_at = now(), tries = 0, rejections = 0,
        rejected_at = null, resends = 0, uncertain_since = null, last_problem = null
      where entry.id in (select failed.id from failed) returning 1
  )
  select (select count(*)::int from queued), private.format_time(page.accepted_at), page.id
  from page order by page.accepted_at desc, page.id desc limit 1;
$$;

create function public.list_limits() returns table (name text, value int, lowest int, highest int, meaning text)
language sql stable security definer set search_path = '' as $$
  select entry.name, entry.value, entry.lowest, entry.highest, entry.meaning from private.limits as entry order by entry.name;
$$;

create function public.set_limit(name text, value int) returns void language sql security definer set search_path = '' as $$
  update private.limits as entry set value = set_limit.value where entry.name = set_limit.name;
$$;
