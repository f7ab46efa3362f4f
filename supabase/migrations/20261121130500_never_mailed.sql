-- Whom nobody mails again, the owner's list can tell from the others.

-- By the hash that stands beside the welcome.
create function private.is_never_mailed(address text) returns boolean
language sql stable
set search_path = ''
return exists (
  select from private.outbox as entry join private.never_mailed as known on known.address_hash = entry.address_hash
  where entry.address = is_never_mailed.address
);

drop function public.list_members(timestamptz, timestamptz, text, boolean, timestamptz, text, int);

-- As before, and `never_mailed` says of which members: of those who are never mailed again (true), or of the others (false).
create function public.list_members(
  since timestamptz default null, until timestamptz default null, matching text default null,
  newest_first boolean default false,
  after_time timestamptz default null, after_address text default null, page_size int default 1000,
  never_mailed boolean default null
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
        and (never_mailed is null or private.is_never_mailed(member.email) = never_mailed)
      order by member.created_at desc, member.email desc limit page_size;
  else
    return query
      select member.email, private.format_time(member.created_at), member.source
      from public.waitlist_emails as member
      where member.created_at >= coalesce(since, '-infinity') and member.created_at < coalesce(until, 'infinity')
        and (member.created_at, member.email) > (coalesce(after_time, '-infinity'), coalesce(after_address, ''))
        and (matching is null or position(lower(matching) in member.email) > 0)
        and (never_mailed is null or private.is_never_mailed(member.email) = never_mailed)
      order by member.created_at, member.email limit page_size;
  end if;
end;
$$;

revoke all on all functions in schema private from public;
grant execute on function private.is_email_address(text) to anon, service_role;

-- Older hosted projects grant new functions to the public roles by default.
revoke all on function public.list_members(timestamptz, timestamptz, text, boolean, timestamptz, text, int, boolean) from public, anon, authenticated;
grant execute on function public.list_members(timestamptz, timestamptz, text, boolean, timestamptz, text, int, boolean) to service_role;
