-- Functions for the owner's command line and for the probe of a deployment. Only the secret key may call them.

-- Times have microseconds. Most clients round them, but a rounded time cannot mark where a page ended.
create function private.format_time(moment timestamptz) returns text
language sql stable strict
set search_path = ''
return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- Returns one page of members, oldest first. With `mailable`, only those who may be mailed.
create function public.list_members(
  mailable boolean default false, after_time timestamptz default null, after_email text default null, page_size int default 1000
) returns table (email text, created_at text, source text)
language sql stable security definer
set search_path = ''
as $$
  select member.email, private.format_time(member.created_at), member.source
  from public.waitlist_emails as member
  where (member.created_at, member.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
    and (not list_members.mailable or not private.is_never_mailed(member.email))
  order by member.created_at, member.email limit page_size;
$$;

create function public.count_members() returns bigint
language sql stable security definer
set search_path = ''
as $$
  select count(*) from public.waitlist_emails;
$$;

-- Returns when deliveries continue, if they are paused, and the latest problem of a waiting message.
create function private.describe_hold_up() returns table (paused_until text, problem text)
language sql stable
set search_path = ''
as $$
  select
    (select private.format_time(pace.next_delivery_at) from private.pace as pace where pace.next_delivery_at > now() + interval '1 minute'),
    (select entry.last_problem from private.outbox as entry
      where entry.state = 'waiting' and entry.last_problem is not null order by entry.next_try_at desc limit 1);
$$;

-- Returns the figures of the owner's daily summary. Days are in UTC. `waiting` counts welcomes. `waiting_announcements`
-- counts messages of announcements that are not stopped. `refused` and `unknown` count both. `returned` counts members by kind
-- of event.
create function public.summarize_waitlist() returns table (
  members bigint, never_mailed bigint, today bigint, yesterday bigint,
  waiting bigint, waiting_since text, waiting_announcements bigint, per_second int, paused_until text, problem text,
  refused bigint, unknown bigint, returned jsonb
)
language sql stable security definer
set search_path = ''
as $$
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
$$;

-- Returns everything about one member, or no row if there is none. `history` is what happened, oldest first. `messages` are the
-- welcome, which has no name, and the announcements. `next_try_at` is set while a message waits until a certain time, and
-- `ahead` counts the welcomes that are sent before this one.
create function public.find_member(email text) returns table (email text, is_never_mailed boolean, history jsonb, messages jsonb)
language sql stable security definer
set search_path = ''
as $$
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
$$;

-- Removes an address from the list and the outbox, and returns whether it was there. For the owner only, never for a visitor.
create function public.remove_member(email text) returns boolean
language sql security definer
set search_path = ''
as $$
  select private.remove_email(private.normalize_email_address(remove_member.email));
$$;

-- Returns one page of the messages that were not sent, oldest first. Skips announcements that are only queued: there
-- may be one for each member.
create function public.list_outbox(after_time timestamptz default null, after_email text default null, page_size int default 1000)
returns table (email text, announcement text, state text, at text, next_try_at text, tries int, problem text)
language sql stable security definer
set search_path = ''
as $$
  select entry.email, entry.announcement, entry.state::text, private.format_time(entry.accepted_at),
    case when entry.state = 'waiting' then private.format_time(entry.next_try_at) end, entry.tries, entry.last_problem
  from private.counted_outbox as entry
  where entry.state <> 'sent' and (entry.announcement is null or entry.state <> 'waiting' or entry.last_problem is not null)
    and (entry.accepted_at, entry.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
  order by entry.accepted_at, entry.email limit page_size;
$$;

-- Returns one page of the messages that were sent and came back, oldest first.
create function public.list_returned(after_time timestamptz default null, after_email text default null, page_size int default 1000)
returns table (email text, announcement text, state text, at text, problem text)
language sql stable security definer
set search_path = ''
as $$
  select entry.email, entry.announcement, event.kind, private.format_time(event.at), event.problem
  from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
  where event.kind <> 'delivered'
    -- Does not use the view counted_outbox: its anti-join would read the whole outbox for every page.
    and (entry.announcement is null or not (select test.is_test from private.announcements as test where test.name = entry.announcement))
    and (event.at, entry.email) > (coalesce(after_time, '-infinity'), coalesce(after_email, ''))
  order by event.at, entry.email limit page_size;
$$;

-- Counts the messages that may or may not have been sent and that a retry would send: all of them, or those to one address.
create function public.count_unknown(email text default null) returns bigint
language sql stable security definer
set search_path = ''
as $$
  select count(*) from private.counted_outbox as entry
  where entry.state = 'unknown' and not exists (select from private.never_mailed as known where known.email_hash = entry.email_hash)
    and (count_unknown.email is null or entry.email = private.normalize_email_address(count_unknown.email));
$$;

-- Sends refused messages again. Sends unknown ones again only on request, because they may arrive twice. Skips messages that
-- the next lease would refuse.
create function public.retry_outbox(email text default null, with_unknown boolean default false) returns int
language plpgsql security definer
set search_path = ''
as $$
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
$$;

create function public.list_limits() returns table (name text, value int, lowest int, highest int, meaning text)
language sql stable security definer
set search_path = ''
as $$
  select entry.name, entry.value, entry.lowest, entry.highest, entry.meaning from private.limits as entry order by entry.name;
$$;

create function public.set_limit(name text, value int) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  update private.limits as entry set value = set_limit.value where entry.name = set_limit.name;
  if not found then
    raise exception 'there is no such limit' using errcode = '22023', hint = 'Call list_limits to see all limits.';
  end if;
end;
$$;

-- Returns a member as an entry of a backup: with the welcome, the announcements and their events. Returns null if there is no
-- such member.
create function private.back_up_member(email text) returns jsonb
language sql stable
set search_path = '' set timezone = 'UTC'
as $$
  select jsonb_build_object(
    'member', to_jsonb(member),
    'outbox', (select coalesce(jsonb_agg(to_jsonb(entry) order by entry.id), '[]')
      from private.messages as entry where entry.email = member.email),
    'events', (select coalesce(jsonb_agg(to_jsonb(event) order by event.id), '[]')
      from private.counted_outbox as entry join private.delivery_events as event on event.delivery = entry.id
      where entry.email = member.email))
  from public.waitlist_emails as member
  where member.accepted and member.email = back_up_member.email;
$$;

-- Returns one page of a backup, ordered by address. A page is consistent even if somebody joins or leaves in the meantime.
create function public.back_up_members(after_email text default null, page_size int default 250) returns table (entry jsonb)
language sql stable security definer
set search_path = ''
as $$
  select private.back_up_member(member.email) from public.waitlist_emails as member
  where member.accepted and member.email > coalesce(after_email, '')
  order by member.email limit page_size;
$$;

-- Returns one page of announcements, without `reached`: a backup already contains their waiting messages, with the members.
-- With it, a restore would add an announcement that was queued during the backup to members who were read before that. They
-- would then differ from the backup.
create function public.back_up_announcements(after_name text default null, page_size int default 10)
returns table (announcement jsonb)
language sql stable security definer
set search_path = '' set timezone = 'UTC'
as $$
  select to_jsonb(announcement) || '{"reached": null}' from private.announcements as announcement
  where not announcement.is_test and announcement.name > coalesce(after_name, '')
  order by announcement.name limit page_size;
$$;

-- Returns one page of the hashes of addresses that must never be mailed.
create function public.back_up_never_mailed(after_hash text default null, page_size int default 1000)
returns table (email_hash text)
language sql stable security definer
set search_path = ''
as $$
  select known.email_hash from private.never_mailed as known
  where known.email_hash > coalesce(after_hash, '') order by known.email_hash limit page_size;
$$;

-- A restore takes many calls, because the API ends each call after 8 seconds. Nothing is visible until the whole backup is
-- uploaded. From then on nothing can be lost: each call of restore_part moves one part into place, and if the owner's calls
-- stop, lease_delivery continues.
create table private.restored (
  restore uuid not null,
  uploaded_at timestamptz not null default now(),
  entries jsonb not null,
  size int not null,
  announcements int not null,
  is_complete boolean not null default false
);

alter table private.restored enable row level security;

-- Stores the entries of a backup and compares what it stored with them. A member who signed up again during the restore
-- keeps the new row.
create function private.restore_entries(entries jsonb) returns void
language plpgsql
set search_path = '' set timezone = 'UTC'
as $$
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
$$;

-- Stores one part of a backup, a JSON array, for restore_backup. Refuses a part that could not be restored.
create function public.upload_backup(restore uuid, entries text) returns void
language plpgsql security definer
set search_path = ''
as $$
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
$$;

-- Marks an uploaded backup as complete, so that it is restored. Returns `complete`, or changes nothing and returns `not
-- empty` when the project has any member, or `incomplete` when not everything is uploaded. Members who signed up
-- since the first upload do not count, so that a restore can be repeated after an interruption.
create function public.restore_backup(restore uuid, size bigint) returns text
language plpgsql security definer
set search_path = ''
as $$
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
$$;

-- Moves one part of a complete backup into place, and returns how many parts are left. Announcements come first, because the
-- rows of members refer to them.
create function public.restore_part() returns bigint
language plpgsql security definer
set search_path = ''
as $$
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
$$;

-- Returns the state of one sign-up, for the probe of a deployment. It only counts callers: those who signed this address up,
-- and those who signed other addresses up in the last hour. `ahead` counts the welcomes that are sent before this one, and
-- `held_up_by` is the latest problem of a waiting message.
create function public.inspect_sign_up(email text) returns table (
  entries int, state text, problem text, ahead int, held_up_by text, is_delivered boolean, return_kind text,
  callers int, unseen int, others int, others_alike int
)
language sql stable security definer
set search_path = ''
as $$
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
$$;

create index outbox_probe_idx on private.outbox (email) where email like 'delivered+probe-%@resend.dev';

-- Removes everything that a probe created, including its calls that count against the limits, and whatever interrupted probes
-- left behind. It touches nobody else, because a probe signs up a test address of the provider.
create function public.forget_probe(email text) returns void
language plpgsql security definer
set search_path = ''
as $$
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
$$;
