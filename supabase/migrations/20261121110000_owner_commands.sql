-- What the owner's command line asks: the list in pages, counts, the outbox, the limits. All of it for the secret key alone.

-- A page goes on behind the last row of the page before. Counting rows off instead would read the whole list again for
-- every page, and would miss or repeat rows when somebody joins or leaves in between.
create index waitlist_emails_created_at_email_idx on public.waitlist_emails (created_at, email);
drop index public.waitlist_emails_created_at_idx;

create index outbox_unsent_idx on private.outbox (accepted_at, address) where state <> 'sent';

-- To the microsecond: a time that is rounded, as most clients round it, is no place to go on from.
create function private.format_time(moment timestamptz) returns text
language sql stable strict
set search_path = ''
return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- One page of the members who joined from `since` on and before `until`, and whose address holds `matching`.
create function public.list_members(
  since timestamptz default null, until timestamptz default null, matching text default null,
  newest_first boolean default false,
  after_time timestamptz default null, after_address text default null, page_size int default 1000
) returns table (email text, created_at text, source text)
language plpgsql stable security definer
set search_path = ''
as $$
begin
  if newest_first then
    return query
      select member.email, private.format_time(member.created_at), member.source
      from public.waitlist_emails as member
      where member.created_at >= coalesce(since, '-infinity') and member.created_at < coalesce(until, 'infinity')
        and (member.created_at, member.email) < (coalesce(after_time, 'infinity'), coalesce(after_address, ''))
        and (matching is null or position(lower(matching) in member.email) > 0)
      order by member.created_at desc, member.email desc limit page_size;
  else
    return query
      select member.email, private.format_time(member.created_at), member.source
      from public.waitlist_emails as member
      where member.created_at >= coalesce(since, '-infinity') and member.created_at < coalesce(until, 'infinity')
        and (member.created_at, member.email) > (coalesce(after_time, '-infinity'), coalesce(after_address, ''))
        and (matching is null or position(lower(matching) in member.email) > 0)
      order by member.created_at, member.email limit page_size;
  end if;
end;
$$;

create function public.count_members(
  since timestamptz default null, until timestamptz default null, matching text default null
) returns bigint
language sql stable security definer
set search_path = ''
as $$
  select count(*) from public.waitlist_emails as member
  where member.created_at >= coalesce(since, '-infinity') and member.created_at < coalesce(until, 'infinity')
    and (matching is null or position(lower(matching) in member.email) > 0);
$$;

-- Days in UTC, without those on which nobody joined.
create function public.count_members_by_day(
  since timestamptz default null, until timestamptz default null, matching text default null
) returns table (day text, members bigint)
language sql stable security definer
set search_path = ''
as $$
  select to_char(member.created_at at time zone 'utc', 'YYYY-MM-DD'), count(*)
  from public.waitlist_emails as member
  where member.created_at >= coalesce(since, '-infinity') and member.created_at < coalesce(until, 'infinity')
    and (matching is null or position(lower(matching) in member.email) > 0)
  group by 1 order by 1;
$$;

-- Removes an address from list and outbox, and says whether it was there: for the owner, never for a visitor.
create function public.remove_member(address text) returns boolean
language plpgsql security definer
set search_path = ''
as $$
declare
  removed constant text := private.normalize_email_address(remove_member.address);
  was_there boolean;
begin
  -- The lock that leaving takes as well, taken before the look: nobody leaves or joins in between.
  perform pg_advisory_xact_lock(hashtextextended('accept_sign_up', 0));
  was_there := exists (select from public.waitlist_emails as member where member.email = removed)
    or exists (select from private.outbox as entry where entry.address = removed);
  perform public.leave_waitlist(removed);
  return was_there;
end;
$$;

drop function public.list_undelivered();
drop function public.retry_undelivered(text);

-- One page of the welcomes that were not sent, in one state or in all.
create function public.list_outbox(
  in_state text default null,
  after_time timestamptz default null, after_address text default null, page_size int default 1000
) returns table (address text, state text, accepted_at text, next_try_at text, tries int, problem text)
language sql stable security definer
set search_path = ''
as $$
  select entry.address, entry.state::text, private.format_time(entry.accepted_at),
    case when entry.state = 'waiting' then private.format_time(entry.next_try_at) end, entry.tries, entry.last_problem
  from private.outbox as entry
  where entry.state <> 'sent' and (in_state is null or entry.state::text = in_state)
    and (entry.accepted_at, entry.address) > (coalesce(after_time, '-infinity'), coalesce(after_address, ''))
  order by entry.accepted_at, entry.address limit page_size;
$$;

-- How many welcomes, of all or to one address, may or may not have been sent.
create function public.count_unknown(address text default null) returns bigint
language sql stable security definer
set search_path = ''
as $$
  select count(*) from private.outbox as entry
  where entry.state = 'unknown'
    and (count_unknown.address is null or entry.address = private.normalize_email_address(count_unknown.address));
$$;

-- Sends refused welcomes again, and unknown ones only when the owner says so: they may arrive a second time.
create function public.retry_outbox(address text default null, in_state text default null) returns int
language plpgsql security definer
set search_path = ''
as $$
declare
  changed int;
begin
  -- A new identity, since the provider remembers the old one together with its refusal.
  update private.outbox as entry
    set id = gen_random_uuid(), state = 'waiting', next_try_at = now(), tries = 0, uncertain_since = null, last_problem = null
    where entry.state in ('refused', 'unknown') and (in_state is null or entry.state::text = in_state)
      and (retry_outbox.address is null or entry.address = private.normalize_email_address(retry_outbox.address));
  get diagnostics changed = row_count;
  return changed;
end;
$$;

create function public.list_limits() returns table (name text, value int, meaning text)
language sql stable security definer
set search_path = ''
as $$
  select entry.name, entry.value, entry.meaning from private.limits as entry order by entry.name;
$$;

create function public.set_limit(name text, value int) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  update private.limits as entry set value = set_limit.value where entry.name = set_limit.name;
  if not found then
    raise exception 'there is no such limit' using errcode = '22023', hint = 'The function list_limits names them.';
  end if;
end;
$$;

revoke all on all functions in schema private from public;
grant execute on function private.is_email_address(text) to anon, service_role;

do $$
declare
  called regprocedure;
begin
  for called in
    select proc.oid::regprocedure from pg_proc as proc
    where proc.pronamespace = 'public'::regnamespace and proc.proname in (
      'list_members', 'count_members', 'count_members_by_day', 'remove_member', 'list_outbox', 'count_unknown',
      'retry_outbox', 'list_limits', 'set_limit'
    )
  loop
    -- Older hosted projects grant new functions to the public roles by default.
    execute format('revoke all on function %s from public, anon, authenticated', called);
    execute format('grant execute on function %s to service_role', called);
  end loop;
end;
$$;
