-- Signing up and unsubscribing. Which welcome is never sent: describe_refusal in delivery.sql.

create or replace function private.limit_of(limit_name text) returns int language sql stable set search_path = ''
return (select value from private.limits where name = limit_name);

-- Adds to the counters of this hour. Call it last in a transaction, because the row stays locked until the end.
create or replace function private.count_in_hour(refused int default 0, unsubscribed int default 0) returns void
language sql set search_path = '' as $$
  insert into private.hours as counted (hour, refused, unsubscribed)
    values (date_trunc('hour', clock_timestamp(), 'UTC'), refused, unsubscribed)
    on conflict (hour) do update set
      refused = counted.refused + excluded.refused, unsubscribed = counted.unsubscribed + excluded.unsubscribed;
$$;

-- Accepts an address, new or known: puts it on the waitlist and its welcome into the outbox, both or neither. Returns `accepted`,
-- or the code of the function's error, which never depends on the address, so that it tells nothing about it.
-- A caller's first call in an hour is below any ceiling, so that nobody can shut others out. An unknown caller has no first call.
create or replace function public.accept_sign_up(email text, template text, caller_hash text, address_hash text, mailbox_hash text)
returns text language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  hour_ago constant timestamptz := clock_timestamp() - interval '1 hour';
  callers_calls int;
  its_turn int;
  member_id uuid;
begin
  if private.limit_of('sign_ups') = 0 then return 'sign_ups_closed'; end if;
  -- Simultaneous calls for a mailbox, or of a caller, wait for each other, so that each of them counts. Nobody else waits. The
  -- mailbox first: whoever waits for one must not hold up all others behind the same IP address.
  perform pg_advisory_xact_lock(hashtextextended(accept_sign_up.mailbox_hash, 1));
  perform pg_advisory_xact_lock(hashtextextended(accept_sign_up.caller_hash, 0));
  select count(*) into callers_calls from private.calls as call
    where call.caller_hash = accept_sign_up.caller_hash and call.at > hour_ago;
  if callers_calls >= private.limit_of('caller_calls')
    or (callers_calls > 0 or accept_sign_up.caller_hash is null) and exists (
      select from private.pace as pace where pace.full_until > clock_timestamp())
  then
    -- Losing this count in a crash hurts nobody, and waiting for the disk would hold up the sign-ups of others.
    perform set_config('synchronous_commit', 'off', true);
    perform private.count_in_hour(refused => 1);
    return 'too_many_requests';
  end if;
  select greatest(callers_calls, count(*)) into its_turn from private.calls as call
    where call.mailbox_hash = accept_sign_up.mailbox_hash and call.at > hour_ago;

  -- Waits while the same address is signing up or leaving. Other addresses do not wait.
  insert into public.waitlist_emails (email, source) values (accept_sign_up.email, 'landing_page')
    on conflict (email) do nothing;
  if found then
    insert into private.members (email, address_hash, mailbox_hash)
      values (accept_sign_up.email, accept_sign_up.address_hash, accept_sign_up.mailbox_hash) returning id into member_id;
  end if;
  insert into private.outbox (member, template, is_test, turn, mailbox_hash) values (
    member_id, private.store_template(accept_sign_up.template), accept_sign_up.email like '%@resend.dev', its_turn,
    case when member_id is not null then accept_sign_up.mailbox_hash end); -- a place may wait longer than an hour
  -- A row for each call, and no counter: sign-ups that had to lock one row would wait for each other's disk writes.
  insert into private.calls (at, caller_hash, mailbox_hash)
    values (clock_timestamp(), accept_sign_up.caller_hash, accept_sign_up.mailbox_hash);
  return 'accepted';
end;
$$;

-- Unsubscribes the mailbox of a member, or of one who left in the last 30 days and may be back: every address that it has on
-- the list. Returns false for any other id.
create or replace function public.unsubscribe_member(member_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  mailbox constant text := coalesce(
    (select member.mailbox_hash from private.members as member where member.id = member_id),
    (select entry.mailbox_hash from private.outbox as entry
      where entry.member = member_id and entry.left_at > now() - interval '30 days' limit 1));
begin
  -- Locked in the order of queue_announcement.
  with leaving as (
    select listed.email
    from private.members as member join public.waitlist_emails as listed on listed.email = member.email
    where member.mailbox_hash = mailbox
    order by listed.created_at, listed.email for update of listed, member
  )
  delete from public.waitlist_emails as listed where listed.email in (select leaving.email from leaving);
  if found then
    perform private.count_in_hour(unsubscribed => 1);
  end if;
  return mailbox is not null;
end;
$$;

-- The page inserts a row after accept_sign_up has added the member. So this insert is checked and dropped, also if pg_graphql makes
-- it: it looks nothing up, takes no lock and writes nothing, and any address gets the same answer in the same time.
create or replace function private.drop_public_insert() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('waitlist.inserted', true) = 'yes' then
    raise exception 'one row at a time' using errcode = '22023', hint = 'Send an array of one row.';
  end if;
  perform set_config('waitlist.inserted', 'yes', true);
  -- The length before anything reads a text of megabytes.
  if length(new.email) > 320 or new.source is distinct from 'landing_page'
    or not coalesce(private.is_email_address(private.normalize_email_address(new.email)), false) then
    raise exception 'not a sign-up' using errcode = '22023',
      hint = 'Send one address, such as name@example.com, and the source landing_page.';
  end if;
  return null;
end;
$$;

-- Row security applies to the public roles, but not to the owner of the table, as whom accept_sign_up runs.
create or replace trigger drop_public_insert before insert on public.waitlist_emails
  for each row when (row_security_active('public.waitlist_emails')) execute function private.drop_public_insert();
