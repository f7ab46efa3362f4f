-- Announcements: one message to all members, delivered from the outbox.

-- Returns what queue_announcement would do. `recipients` would be queued now, `never_mailed` counts members who would be
-- skipped, and `is_changed` says that it was queued with another message.
create function public.preview_announcement(name text, message text, first int default null) returns table (
  recipients bigint, queued_before bigint, never_mailed bigint, waiting_welcomes bigint, per_second int,
  is_changed boolean, is_stopped boolean
) language sql stable security definer set search_path = '' as $$
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
$$;

-- Queues an announcement for every member who does not have it yet, or for the `first` of them in the order in which they
-- joined. All or none. Returns `queued` with their number, or `changed` if it was queued with another message.
create function public.queue_announcement(name text, message text, first int default null)
returns table (outcome text, queued bigint) language plpgsql security definer set search_path = '' as $$
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
$$;

-- Stops an announcement, or resumes it. Returns false if it was never queued. A message that is being handed to the provider
-- is still sent.
create function public.stop_announcement(name text, is_stopped boolean) returns boolean
language sql security definer set search_path = '' as $$
  with changed as (
    update private.announcements set is_stopped = $2 where announcements.name = $1 returning 1
  ) select exists (select from changed);
$$;

-- Sends a message to one address through the same delivery, and returns the test's id. A member's message contains
-- their own unsubscribe link. For anyone else, the link unsubscribes nobody.
create function public.queue_test(message text, email text) returns uuid
language sql security definer set search_path = '' as $$
  -- What interrupted tests left behind.
  delete from private.outbox as entry where entry.email is not null and entry.accepted_at < now() - interval '1 hour';
  insert into private.outbox (email, template, turn, mailbox_hash)
    select recipient, private.store_template(queue_test.message), -1, member.mailbox_hash
    from private.normalize_email_address(queue_test.email) as recipient
    left join private.members as member on member.email = recipient
    returning id;
$$;

-- Returns the state of a test: `waiting`, `sent`, `refused` or `unknown`, and why it is not sent.
create function public.find_test(id uuid) returns table (state text, problem text)
language sql stable security definer set search_path = '' as $$
  select entry.state::text,
    coalesce(entry.last_problem, case when entry.state = 'waiting' and held.paused_until is not null then held.problem end)
  from private.outbox as entry cross join private.describe_hold_up() as held
  where entry.id = find_test.id and entry.email is not null;
$$;

create function public.forget_test(id uuid) returns void language sql security definer set search_path = '' as $$
  delete from private.outbox as entry where entry.id = forget_test.id and entry.email is not null;
$$;
