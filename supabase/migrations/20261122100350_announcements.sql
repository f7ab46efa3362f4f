-- Announcements: one message to all members, delivered from the outbox. Only the secret key may call these functions.

-- Returns for every member whether the announcement is queued for them, and whether they may be mailed.
create function private.list_recipients(announcement text) returns table (is_queued boolean, is_never_mailed boolean)
language sql stable
set search_path = ''
as $$
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
$$;

-- Returns what queue_announcement would do. `recipients` would be queued now. `never_mailed` counts members who would be
-- skipped, because their address bounced permanently or complained. `is_changed`: it was queued with another message.
create function public.preview_announcement(name text, message text) returns table (
  recipients bigint, queued_before bigint, never_mailed bigint, waiting_welcomes bigint, per_second int,
  is_changed boolean, is_stopped boolean
)
language sql stable security definer
set search_path = ''
as $$
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
$$;

-- Queues an announcement for every member who does not have it yet, all or none, and returns `queued` with their number.
-- Queues nothing and returns `changed` if it was queued with another message.
create function public.queue_announcement(name text, message text) returns table (outcome text, queued bigint)
language plpgsql security definer
set search_path = ''
as $$
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
$$;

-- Returns the progress of an announcement, or no row if it was never queued. `refused` includes those who bounced or
-- complained before their turn.
create function public.summarize_announcement(name text) returns table (
  sent bigint, waiting bigint, refused bigint, unknown bigint, bounced bigint, complained bigint,
  per_second int, is_stopped boolean, paused_until text, problem text
)
language sql stable security definer
set search_path = ''
as $$
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
$$;

-- Stops an announcement, or resumes it. Returns false if it was never queued. A message that is being handed to the provider
-- is still sent.
create function public.stop_announcement(name text, is_stopped boolean) returns boolean
language plpgsql security definer
set search_path = ''
as $$
begin
  update private.announcements as announcement set is_stopped = stop_announcement.is_stopped
    where announcement.name = stop_announcement.name;
  return found;
end;
$$;

-- Sends a message to one address through the same delivery, and returns the test's id. A member's message contains
-- their own unsubscribe link. For anyone else, the link unsubscribes nobody.
create function public.queue_test(message text, email text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
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
$$;

-- Returns the state of a test: `waiting`, `sent`, `refused` or `unknown`, and why it is not sent.
create function public.find_test(id uuid) returns table (state text, problem text)
language sql stable security definer
set search_path = ''
as $$
  select entry.state::text,
    coalesce(entry.last_problem, case when entry.state = 'waiting' and held.paused_until is not null then held.problem end)
  from private.outbox as entry join private.announcements as announcement on announcement.name = entry.announcement
  cross join private.describe_hold_up() as held
  where entry.id = find_test.id and announcement.is_test;
$$;

-- Deletes a test, whether it was sent or not.
create function public.forget_test(id uuid) returns void
language sql security definer
set search_path = ''
as $$
  delete from private.announcements as announcement where announcement.name = forget_test.id::text and announcement.is_test;
$$;
