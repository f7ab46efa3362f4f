-- Announcements: one message to all members, delivered from the outbox.

-- Returns the standing of each member. `queued_before`: the member has a message of the announcement. Skipped: `never_mailed`,
-- `welcome_waits`, and `not_delivered`, if the provider refused the welcome. Everybody else is a `recipient`, even if the cap on the
-- mailbox refused the welcome.
create or replace function private.sort_members(announcement text) returns table (member uuid, standing text)
language sql stable set search_path = '' as $$
  select person.id, case
      when entry.id is not null then 'queued_before'
      -- Faster for a whole list than a call for each member.
      when person.address_hash in (select hash from private.never_mailed)
        or person.mailbox_hash in (select hash from private.never_mailed) then 'never_mailed'
      when welcome.state = 'waiting' then 'welcome_waits'
      when welcome.state = 'refused' and welcome.tries > 0 then 'not_delivered'
      else 'recipient'
    end
  from private.members as person
  join private.outbox as welcome on welcome.member = person.id and welcome.announcement is null
  left join private.outbox as entry on entry.member = person.id and entry.announcement = sort_members.announcement;
$$;

-- Returns the number of members with each standing.
create or replace function public.preview_announcement(name text) returns json language sql stable security definer set search_path = '' as $$
  select coalesce(json_object_agg(counted.standing, counted.members), '{}') from (
    select sorted.standing, count(*) as members from private.sort_members(preview_announcement.name) as sorted group by sorted.standing
  ) as counted;
$$;

-- Queues an announcement for every recipient who does not have it yet, or until the `first` members have it, in the order in
-- which they joined. All or none. Returns how many were queued, or null if it is already queued with another message.
create or replace function public.queue_announcement(name text, message text, first int default null)
returns int language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  template_hash text;
  added int;
begin
  perform private.wait_for_other_bulk_work();
  template_hash := private.store_template(queue_announcement.message);
  insert into private.announcements (name, template) values (queue_announcement.name, template_hash)
    on conflict (name) do nothing;
  if not exists (select from private.announcements as known
      where known.name = queue_announcement.name and known.template = template_hash)
    then return null; end if;
  insert into private.outbox (member, announcement, mailbox_hash, is_test, next_try_at)
    select member.id, queue_announcement.name, member.mailbox_hash, member.email like '%@resend.dev',
      -- In random order, so that the first ten who joined cannot stop it at its tenth message.
      now() - random() * interval '1 minute'
    from private.sort_members(queue_announcement.name) as sorted
    join private.members as member on member.id = sorted.member and sorted.standing = 'recipient'
    join public.waitlist_emails as listed on listed.email = member.email
    order by listed.created_at, listed.email
    limit case when queue_announcement.first is not null then greatest(0, queue_announcement.first - (
      select count(*) from private.outbox as entry where entry.announcement = queue_announcement.name and entry.left_at is null)) end
    -- Skips members who are leaving.
    for key share of member skip locked;
  get diagnostics added = row_count;
  -- Otherwise the planner expects hardly any rows of announcements.
  analyze private.outbox;
  return added;
end;
$$;

-- Stops an announcement, or resumes it. What happened until now no longer stops it. Returns false if it was never queued. A
-- message that is being handed to the provider is still sent.
create or replace function public.stop_announcement(name text, is_stopped boolean) returns boolean
language sql security definer set search_path = '' as $$
  with changed as (
    update private.announcements as known
      set is_stopped = $2, stopped_because = null, counted_since = now()
      where known.name = $1 returning 1
  ) select exists (select from changed);
$$;
