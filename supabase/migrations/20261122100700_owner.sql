-- Functions for the owner's command line and for the probe of a deployment.

-- Returns one page of members, oldest first. With `mailable`, only those who may be mailed.
create function public.list_members(
  mailable boolean default false, after_time timestamptz default null, after_email text default null, page_size int default 1000
) returns table (email text, created_at text, source text) language sql stable security definer set search_path = '' as $$
  select entry.email, private.format_time(entry.created_at), entry.source
  from public.waitlist_emails as entry join private.members as member on member.email = entry.email
  where (entry.created_at, entry.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
    and (not list_members.mailable or not private.is_never_mailed(member))
  order by entry.created_at, entry.email limit page_size;
$$;

create function public.count_members() returns bigint language sql stable security definer set search_path = '' as $$
  select count(*) from public.waitlist_emails;
$$;

-- Returns the figures of the owner's summary. Days are in UTC. `waiting` counts welcomes, `waiting_announcements` the messages
-- of announcements that are not stopped, and `refused` and `unknown` both. `returned` counts members by kind of event, and
-- `days` the members who joined and the calls that a limit refused, on each of the last 14 days, oldest first.
-- `unknown_callers` counts the calls of the last hour without the caller's IP address.
create function public.summarize_waitlist() returns table (
  members bigint, never_mailed bigint, waiting bigint, waiting_since text, waiting_announcements bigint,
  refused bigint, unknown bigint, returned jsonb, days jsonb, announcements jsonb,
  per_second int, paused_until text, problem text, brake text, refused_today bigint, over_ceiling_today bigint, unknown_callers bigint
) language sql stable security definer set search_path = '' as $$
  select
    public.count_members(),
    (select count(*) from private.members as member
      where member.address_hash in (select known.hash from private.never_mailed as known)
        or member.mailbox_hash in (select known.hash from private.never_mailed as known)),
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
  from private.find_hold_up() as held
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
$$;

-- Returns everything about one member, or no row if there is none: what happened, oldest first, and the messages. Within a
-- second, a message is sent before it comes back, because clocks differ a little. The welcome has no name. `next_try_at` is set
-- while a message waits for a time, and `ahead` counts the welcomes sent before this one.
create function public.find_member(email text) returns table (email text, is_never_mailed boolean, history jsonb, messages jsonb)
language sql stable security definer set search_path = '' as $$
  select member.email, private.is_never_mailed(member),
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
$$;

-- Removes an address from the list and the outbox, and returns whether it was there.
create function public.remove_member(email text) returns boolean language sql security definer set search_path = '' as $$
  with removed as (
    delete from public.waitlist_emails where waitlist_emails.email = private.normalize_email_address($1) returning 1
  ) select exists (select from removed);
$$;

-- Removes what a bot left behind: the members who joined in a certain time and whose welcome was not sent, or bounced
-- permanently. Returns their number, and with `is_preview` removes nobody.
create function public.remove_undelivered(joined_from timestamptz, joined_until timestamptz, is_preview boolean default true)
returns bigint language plpgsql security definer set search_path = '' as $$
declare
  emails text[];
begin
  -- Waits for queue_announcement, which locks many members, too.
  perform private.wait_for_other_bulk_work();
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

-- Sends refused messages again. Sends unknown ones again only on request, because they may arrive twice. Skips messages that
-- the next lease would refuse, and those that are locked: their members are leaving.
create function public.retry_outbox(email text default null, with_unknown boolean default false) returns int
language plpgsql security definer set search_path = '' as $$
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
    set id = gen_random_uuid(), state = 'waiting', next_try_at = now(), tries = 0, rejections = 0, rejected_at = null, resends = 0,
      uncertain_since = null, last_problem = null
    where entry.id in (select failed.id from failed);
  get diagnostics changed = row_count;
  return changed;
end;
$$;

create function public.list_limits() returns table (name text, value int, lowest int, highest int, meaning text)
language sql stable security definer set search_path = '' as $$
  select entry.name, entry.value, entry.lowest, entry.highest, entry.meaning from private.limits as entry order by entry.name;
$$;

create function public.set_limit(name text, value int) returns void language sql security definer set search_path = '' as $$
  update private.limits as entry set value = set_limit.value where entry.name = set_limit.name;
$$;

-- Returns the state of one sign-up and of everything that may hold it up, for the probe of a deployment. `ahead` counts the
-- welcomes that are sent before this one, and `held_up_by` is the latest problem of a waiting message.
create function public.inspect_sign_up(email text) returns table (
  entries int, state text, problem text, ahead int, is_delivered boolean, return_kind text,
  held_up_by text, brake text, refused_today bigint, over_ceiling_today bigint
) language sql stable security definer set search_path = '' as $$
  select
    (select count(*)::int from public.waitlist_emails as entry where entry.email = inspect_sign_up.email),
    welcome.state::text, welcome.last_problem, private.count_ahead(welcome)::int,
    exists (select from private.delivery_events as event where event.delivery = welcome.id and event.kind = 'delivered'),
    (select max(event.kind) from private.delivery_events as event where event.delivery = welcome.id and event.kind <> 'delivered'),
    held.problem, held.brake, held.refused, held.over_ceiling
  from private.find_hold_up() as held
  left join private.members as member on member.email = inspect_sign_up.email
  left join private.outbox as welcome on welcome.member = member.id and welcome.announcement is null;
$$;

-- Removes the member that a probe created, and those that interrupted probes left behind. It touches nobody else, because a
-- probe signs up a test address of the provider.
create function public.forget_probe(email text) returns void language sql security definer set search_path = '' as $$
  select private.wait_for_other_bulk_work();
  delete from public.waitlist_emails as listed
    where listed.email like 'delivered+probe-%@resend.dev'
      and (listed.email = forget_probe.email or listed.created_at < now() - interval '1 hour');
$$;
