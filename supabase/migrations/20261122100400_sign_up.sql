-- Signing up and unsubscribing.

-- Accepts an address: puts it on the waitlist and its welcome into the outbox, both or neither. Returns `accepted` for new and
-- known addresses, or `limited` with the seconds until the caller may try again, in whole minutes. A caller is limited by its
-- own calls of the last hour, whatever their addresses, so that no answer tells anything about an address. The first call of
-- an hour is always accepted, so that nobody can shut others out. Callers whose IP address is unknown cannot be told apart:
-- only the ceiling limits them, and they take turns like one caller. Simultaneous calls may exceed a limit by a few.
create function public.accept_sign_up(
  email text, template text, member_id uuid, token_hash text, caller_hash text, network_hash text, mailbox_hash text
) returns table (outcome text, retry_after int) language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  now_is constant timestamptz := clock_timestamp();
  hour_ago constant timestamptz := now_is - interval '1 hour';
  template_hash text;
  calls int;
  last_call_at timestamptz;
  ceiling_at timestamptz;
  free_at timestamptz;
begin
  select count(*), max(call.at) into calls, last_call_at from private.calls as call
    where call.caller_hash = accept_sign_up.caller_hash and call.at > hour_ago;
  if accept_sign_up.caller_hash is null then
    select count(*) into calls from private.calls as call where call.caller_hash is null and call.at > hour_ago;
  end if;
  if last_call_at is not null or accept_sign_up.caller_hash is null then
    -- A limit allows calls again as soon as enough of the counted calls are more than an hour old.
    select call.at into ceiling_at from private.calls as call where call.at > hour_ago
      order by call.at desc offset private.limit_of('all_calls') - 1 limit 1;
    free_at := interval '1 hour' + greatest(
      (select call.at from private.calls as call where call.caller_hash = accept_sign_up.caller_hash and call.at > hour_ago
        order by call.at desc offset private.limit_of('caller_calls') - 1 limit 1),
      (select call.at from private.calls as call where call.network_hash = accept_sign_up.network_hash and call.at > hour_ago
        order by call.at desc offset private.limit_of('network_calls') - 1 limit 1),
      ceiling_at);
  end if;
  if free_at is not null then
    -- An hour after its last call, the caller's next one is the first of an hour again.
    free_at := least(free_at, last_call_at + interval '1 hour');
    -- Losing this count in a crash hurts nobody, and waiting for the disk would hold up the sign-ups of others.
    perform set_config('synchronous_commit', 'off', true);
    perform private.count_in_hour(refused => 1, over_ceiling => (ceiling_at is not null)::int);
    return query values ('limited', greatest(1, ceil(extract(epoch from free_at - now_is) / 60)::int) * 60); return;
  end if;

  template_hash := private.store_template(accept_sign_up.template);
  -- Waits while the same address is signing up or leaving. Other addresses do not wait.
  insert into public.waitlist_emails (email, source) values (accept_sign_up.email, 'landing_page')
    on conflict (email) do nothing;
  if found then
    insert into private.members (id, email, token_hash, mailbox_hash)
      values (accept_sign_up.member_id, accept_sign_up.email, accept_sign_up.token_hash, accept_sign_up.mailbox_hash);
    insert into private.outbox (member, template, mailbox_hash, turn)
      values (accept_sign_up.member_id, template_hash, accept_sign_up.mailbox_hash, calls);
  else
    insert into private.outbox (turn) values (calls);
  end if;
  -- A row for each call, and no counter: sign-ups that had to lock one row would wait for each other's disk writes.
  insert into private.calls (at, caller_hash, network_hash)
    values (now_is, accept_sign_up.caller_hash, accept_sign_up.network_hash);
  return query values ('accepted', null::int);
end;
$$;

-- Unsubscribes the member with this token. `is_unsubscribed` is false if nobody has it: the member left more than ten minutes ago,
-- or came back and has another token.
create function public.unsubscribe_member(token_hash text) returns table (is_unsubscribed boolean)
language plpgsql security definer set search_path = '' as $$
declare
  leaving private.members;
begin
  select * into leaving from private.members as member where member.token_hash = unsubscribe_member.token_hash;
  -- Locked, and found only if the member has not left and come back in the meantime.
  perform from public.waitlist_emails as entry where entry.email = leaving.email for update;
  if exists (select from private.members as member where member.id = leaving.id) then
    delete from public.waitlist_emails as entry where entry.email = leaving.email;
    insert into private.used_tokens (token_hash, mailbox_hash) values (leaving.token_hash, leaving.mailbox_hash)
      on conflict do nothing;
  end if;
  return query select exists (
    select from private.used_tokens as used where used.token_hash = unsubscribe_member.token_hash
      and used.used_at > now() - interval '10 minutes'
      and not exists (select from private.members as member where member.mailbox_hash = used.mailbox_hash));
end;
$$;
