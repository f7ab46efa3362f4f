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
    select entry.id is not null as is_queued,
      member.address_hash in (select known.hash from private.never_mailed as known)
        or member.mailbox_hash in (select known.hash from private.never_mailed as known) as is_never_mailed
    from private.members as member
    left join private.outbox as entry on entry.member = member.id and entry.announcement = preview_announcement.name
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
  perform private.wait_for_other_bulk_work();
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
      and member.address_hash not in (select known.hash from private.never_mailed as known)
      and member.mailbox_hash not in (select known.hash from private.never_mailed as known)
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
    update private.announcements set is_stopped = $2, stopped_because = null, counted_since = now(),
      sent = 0, bounced = 0, complained = 0, rejected = 0 where announcements.name = $1 returning 1
  ) select exists (select from changed);
$$;
