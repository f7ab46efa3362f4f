-- Signing up and unsubscribing.

-- Returns how many calls a caller made in the last hour, and if a limit refuses the next one, until when. The first call of an
-- hour is always accepted, so that nobody can shut others out. Callers whose IP address is unknown cannot be told apart: only
-- the ceiling limits them, and all of their calls are first ones.
create function private.check_limits(
  caller_hash text, hour_ago timestamptz, out calls int, out refused_until timestamptz, out is_over_ceiling boolean
) language plpgsql stable set search_path = '' as $$
declare
  last_at timestamptz;
  full_at timestamptz;
begin
  -- A limit allows calls again as soon as enough of the counted calls are more than an hour old.
  select count(*), max(call.at), (array_agg(call.at order by call.at desc))[private.limit_of('caller_calls')]
    into calls, last_at, full_at
    from private.calls as call where call.caller_hash = check_limits.caller_hash and call.at > hour_ago;
  refused_until := full_at + interval '1 hour';
  is_over_ceiling := false;
  if calls > 0 or check_limits.caller_hash is null then
    select call.at into full_at from private.calls as call where call.at > hour_ago
      order by call.at desc offset private.limit_of('all_calls') - 1 limit 1;
    is_over_ceiling := found;
    -- An hour after its last call, the caller's next one is the first of an hour again.
    if found then refused_until := greatest(refused_until, least(full_at, last_at) + interval '1 hour'); end if;
  end if;
end;
$$;

-- Accepts an address: puts it on the waitlist and its welcome into the outbox, both or neither. Returns `accepted` for new and
-- known addresses, or `limited` with the seconds until the caller may try again, in whole minutes. A caller is limited by its
-- own calls of the last hour, whatever their addresses, so that no answer tells anything about an address.
create function public.accept_sign_up(email text, template text, caller_hash text, address_hash text, mailbox_hash text)
returns table (outcome text, retry_after int) language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  now_is constant timestamptz := clock_timestamp();
  checked record;
  template_hash text;
  member_id uuid;
begin
  -- Without waiting, so that the refused calls of a flood hold up nothing.
  checked := private.check_limits(accept_sign_up.caller_hash, now_is - interval '1 hour');
  if checked.refused_until is null and accept_sign_up.caller_hash is not null then
    -- A caller's simultaneous calls wait for each other, and for nobody else, so that each of them counts.
    perform pg_advisory_xact_lock(hashtextextended(accept_sign_up.caller_hash, 0));
    checked := private.check_limits(accept_sign_up.caller_hash, now_is - interval '1 hour');
  end if;
  if checked.refused_until is not null then
    -- Losing this count in a crash hurts nobody, and waiting for the disk would hold up the sign-ups of others.
    perform set_config('synchronous_commit', 'off', true);
    perform private.count_in_hour(now_is, refused => 1, over_ceiling => checked.is_over_ceiling::int);
    return query values
      ('limited', greatest(1, ceil(extract(epoch from checked.refused_until - now_is) / 60)::int) * 60);
    return;
  end if;

  template_hash := private.store_template(accept_sign_up.template);
  -- Waits while the same address is signing up or leaving. Other addresses do not wait.
  insert into public.waitlist_emails (email, source) values (accept_sign_up.email, 'landing_page')
    on conflict (email) do nothing;
  if found then
    insert into private.members (email, address_hash, mailbox_hash)
      values (accept_sign_up.email, accept_sign_up.address_hash, accept_sign_up.mailbox_hash) returning id into member_id;
    insert into private.outbox (member, template, mailbox_hash, turn)
      values (member_id, template_hash, accept_sign_up.mailbox_hash, checked.calls);
  else
    insert into private.outbox (turn) values (checked.calls);
  end if;
  -- A row for each call, and no counter: sign-ups that had to lock one row would wait for each other's disk writes.
  insert into private.calls (at, caller_hash) values (now_is, accept_sign_up.caller_hash);
  return query values ('accepted', null::int);
end;
$$;

-- Unsubscribes the mailbox of a member: every address that it has on the list. `is_unsubscribed` is false if this id was nobody's
-- in the last 30 days, or if the mailbox came back.
create function public.unsubscribe_member(member_id uuid) returns table (is_unsubscribed boolean)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  -- Locked in the order of queue_announcement. Found only if the member has not left and come back in the meantime.
  with leaving as (
    select listed.email
    from private.members as clicked join private.members as member on member.mailbox_hash = clicked.mailbox_hash
    join public.waitlist_emails as listed on listed.email = member.email
    where clicked.id = unsubscribe_member.member_id
    order by listed.created_at, listed.email for update of listed, member
  )
  delete from public.waitlist_emails as listed where listed.email in (select leaving.email from leaving);
  is_unsubscribed := found or exists (
    select from private.former_members as former where former.id = unsubscribe_member.member_id
      and former.left_at > now() - interval '30 days'
      and not exists (select from private.members as member where member.mailbox_hash = former.mailbox_hash));
  if found then perform private.count_in_hour(clock_timestamp(), unsubscribed => 1); end if;
  return next;
end;
$$;
