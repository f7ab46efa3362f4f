-- What the owner's command line and the probe of a deployment ask. All of it for the secret key alone.

-- To the microsecond: a time that is rounded, as most clients round it, is no place to go on from.
create function private.format_time(moment timestamptz) returns text
language sql stable strict
set search_path = ''
return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- One page of the members who joined from `since` on and before `until`, and whose address holds `matching`; with
-- `never_mailed` only those who are never mailed again (true), or only the others (false).
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
  if never_mailed then
    -- From the few who are never mailed: a page of them read from the list would read most of the list.
    return query
      select member.email, private.format_time(member.created_at), member.source
      from private.never_mailed as known
      join private.outbox as entry on entry.email_hash = known.email_hash
      join public.waitlist_emails as member on member.email = entry.email and member.accepted
      where member.created_at >= coalesce(since, '-infinity') and member.created_at < coalesce(until, 'infinity')
        and case
          when newest_first then (member.created_at, member.email) < (coalesce(after_time, 'infinity'), coalesce(after_address, ''))
          else (member.created_at, member.email) > (coalesce(after_time, '-infinity'), coalesce(after_address, ''))
        end
        and (matching is null or position(lower(matching) in member.email) > 0)
      order by
        case when newest_first then member.created_at end desc, case when newest_first then member.email end desc,
        member.created_at, member.email
      limit page_size;
  elsif newest_first then
    return query
      select member.email, private.format_time(member.created_at), member.source
      from public.waitlist_emails as member
      where member.created_at >= coalesce(since, '-infinity') and member.created_at < coalesce(until, 'infinity')
        and (member.created_at, member.email) < (coalesce(after_time, 'infinity'), coalesce(after_address, ''))
        and (matching is null or position(lower(matching) in member.email) > 0)
        and (never_mailed is null or not private.is_never_mailed(member.email))
      order by member.created_at desc, member.email desc limit page_size;
  else
    return query
      select member.email, private.format_time(member.created_at), member.source
      from public.waitlist_emails as member
      where member.created_at >= coalesce(since, '-infinity') and member.created_at < coalesce(until, 'infinity')
        and (member.created_at, member.email) > (coalesce(after_time, '-infinity'), coalesce(after_address, ''))
        and (matching is null or position(lower(matching) in member.email) > 0)
        and (never_mailed is null or not private.is_never_mailed(member.email))
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
language sql security definer
set search_path = ''
as $$
  select private.remove_email(private.normalize_email_address(remove_member.address));
$$;

-- One page of the welcomes that were not sent, in one state or in all.
create function public.list_outbox(
  in_state text default null,
  after_time timestamptz default null, after_address text default null, page_size int default 1000
) returns table (address text, state text, accepted_at text, next_try_at text, tries int, problem text)
language sql stable security definer
set search_path = ''
as $$
  select entry.email, entry.state::text, private.format_time(entry.accepted_at),
    case when entry.state = 'waiting' then private.format_time(entry.next_try_at) end, entry.tries, entry.last_problem
  from private.outbox as entry
  where entry.state <> 'sent' and (in_state is null or entry.state::text = in_state)
    and (entry.accepted_at, entry.email) > (coalesce(after_time, '-infinity'), coalesce(after_address, ''))
  order by entry.accepted_at, entry.email limit page_size;
$$;

-- One page of the welcomes that came back: bounced, or marked as spam by whoever got them. The oldest first.
create function public.list_returned(
  after_time timestamptz default null, after_address text default null, page_size int default 1000
) returns table (address text, kind text, problem text, sent_at timestamptz, returned_at timestamptz)
language sql stable security definer
set search_path = ''
as $$
  select entry.email, event.kind, event.problem, entry.sent_at, event.at
  from private.delivery_events as event join private.outbox as entry on entry.id = event.delivery
  where event.kind <> 'delivered'
    and (event.at, entry.email) > (coalesce(after_time, '-infinity'), coalesce(after_address, ''))
  order by event.at, entry.email limit page_size;
$$;

-- What became of the welcome to one address, and whether it is mailed at all. No row when there is none.
create function public.find_welcome(address text)
returns table (state text, return_kind text, is_never_mailed boolean)
language sql stable security definer
set search_path = ''
as $$
  select entry.state::text,
    (select max(event.kind) from private.delivery_events as event where event.delivery = entry.id and event.kind <> 'delivered'),
    private.is_never_mailed(entry.email)
  from private.outbox as entry where entry.email = private.normalize_email_address(find_welcome.address);
$$;

-- How many welcomes, of all or to one address, may or may not have been sent, without those that no retry sends.
create function public.count_unknown(address text default null) returns bigint
language sql stable security definer
set search_path = ''
as $$
  select count(*) from private.outbox as entry
  where entry.state = 'unknown' and not exists (select from private.never_mailed as known where known.email_hash = entry.email_hash)
    and (count_unknown.address is null or entry.email = private.normalize_email_address(count_unknown.address));
$$;

-- Sends refused welcomes again, and unknown ones only when the owner says so: they may arrive a second time. A welcome that
-- the next lease would refuse stays as it is.
create function public.retry_outbox(address text default null, in_state text default null) returns int
language plpgsql security definer
set search_path = ''
as $$
declare
  changed int;
begin
  -- A new identity, since the provider remembers the old one together with its refusal.
  update private.outbox as entry
    set id = gen_random_uuid(), state = 'waiting', next_try_at = now(), tries = 0, blocks = 0, uncertain_since = null, last_problem = null
    where entry.state in ('refused', 'unknown') and (in_state is null or entry.state::text = in_state)
      and not exists (select from private.never_mailed as known where known.email_hash = entry.email_hash)
      and (retry_outbox.address is null or entry.email = private.normalize_email_address(retry_outbox.address));
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

-- What became of one sign-up, for the probe of a deployment. Of callers it says only how many there were: those of this
-- address, and those of the other addresses of the last hour.
create function public.inspect_sign_up(address text)
returns table (
  entries int, state text, problem text, is_delivered boolean, return_kind text,
  calls int, callers int, unseen int, others int, others_alike int, limits jsonb
)
language sql stable security definer
set search_path = ''
as $$
  select
    (select count(*)::int from public.waitlist_emails as member where member.email = inspect_sign_up.address and member.accepted),
    welcome.state::text, welcome.last_problem,
    exists (select from private.delivery_events as event where event.delivery = welcome.id and event.kind = 'delivered'),
    (select max(event.kind) from private.delivery_events as event where event.delivery = welcome.id and event.kind <> 'delivered'),
    own.calls, own.callers, own.unseen, other.addresses, other.alike,
    (select jsonb_object_agg(entry.name, entry.value) from private.limits as entry)
  from (values (1)) as one_row
  left join private.outbox as welcome on welcome.email = inspect_sign_up.address
  cross join lateral (
    select count(*)::int as calls, count(distinct call.caller_hash)::int as callers,
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

-- Removes what a probe made, its calls that count against the limits included, and what an earlier probe left behind that
-- was cut off. Of nobody else: what a probe signs up is an address of the provider's own.
create function public.forget_probe(address text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  probe private.outbox;
begin
  for probe in
    select * from private.outbox as entry
    where entry.email like 'delivered+probe-%@resend.dev'
      and (entry.email = forget_probe.address or entry.accepted_at < now() - interval '1 hour')
      -- Two probes at once lock the addresses in the same order.
      order by entry.email
  loop
    delete from private.calls as call where call.email_hash = probe.email_hash;
    perform private.remove_email(probe.email);
  end loop;
end;
$$;
