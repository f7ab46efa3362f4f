-- A retry leaves alone whom nobody mails again, and the owner can ask why a welcome does not go out.

-- As before, without the welcomes that no retry sends.
create or replace function public.count_unknown(address text default null) returns bigint
language sql stable security definer
set search_path = ''
as $$
  select count(*) from private.outbox as entry
  where entry.state = 'unknown' and not private.is_never_mailed(entry.address)
    and (count_unknown.address is null or entry.address = private.normalize_email_address(count_unknown.address));
$$;

-- As before, and a welcome that the next lease would refuse stays as it is.
create or replace function public.retry_outbox(address text default null, in_state text default null) returns int
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
      and not private.is_never_mailed(entry.address)
      and (retry_outbox.address is null or entry.address = private.normalize_email_address(retry_outbox.address));
  get diagnostics changed = row_count;
  return changed;
end;
$$;

-- What became of the welcome to one address, and whether it is mailed at all. No row when there is none.
create function public.find_welcome(address text)
returns table (state text, return_kind text, is_never_mailed boolean)
language sql stable security definer
set search_path = ''
as $$
  select entry.state::text,
    (select max(event.kind) from private.delivery_events as event where event.delivery = entry.id and event.kind <> 'delivered'),
    private.is_never_mailed(entry.address)
  from private.outbox as entry where entry.address = private.normalize_email_address(find_welcome.address);
$$;

-- Older hosted projects grant new functions to the public roles by default.
revoke all on function public.find_welcome(text) from public, anon, authenticated;
grant execute on function public.find_welcome(text) to service_role;
