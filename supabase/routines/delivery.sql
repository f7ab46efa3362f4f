-- Delivery: one message at a time, at the provider's pace. The rules are in docs/architecture.md.

-- Returns why welcomes are slowed down, or null. It ends by itself when those of the last three days are good again.
create or replace function private.describe_brake() returns text language sql stable set search_path = '' as $$
  select private.describe_excess(sum(counted.sent), sum(counted.bounced), sum(counted.complained))
  from private.hours as counted where counted.hour > now() - interval '3 days';
$$;

-- Returns why a message must not be sent, or null.
create or replace function private.describe_refusal(message private.outbox) returns text language sql stable set search_path = '' as $$
  select case
    when private.is_never_mailed(member) then 'it bounced or complained before: never mailed again'
    when message.announcement is null and had.welcomes >= 3 then 'the mailbox already has three welcomes, to other spellings'
    when had.announcements >= 1 then 'the mailbox already has this announcement, at another spelling'
    when message.announcement is not null and exists (select from private.outbox as welcome
      where welcome.member = message.member and welcome.announcement is null and welcome.state in ('refused', 'unknown'))
      then 'the welcome was not delivered'
  end
  from private.members as member cross join lateral (
    select count(*) filter (where sent.announcement is null) as welcomes,
      count(*) filter (where sent.announcement = message.announcement) as announcements
    from (
      select other.announcement from private.outbox as other
        where other.mailbox_hash = message.mailbox_hash and other.id <> message.id
          and (other.state in ('sent', 'unknown') or other.uncertain_since is not null)
          and coalesce(other.sent_at, other.uncertain_since) > now() - interval '30 days'
      union all
      select unnest(former.messages) from private.former_members as former
        where former.mailbox_hash = message.mailbox_hash and former.left_at > now() - interval '30 days'
    ) as sent (announcement)
  ) as had
  where member.id = message.member;
$$;

-- Leases the next message and sets the time of the next delivery. `wait` is the number of milliseconds until the next lease.
-- Everything else is null if there is nothing to send now. Returns no row if nothing waits.
create or replace function public.lease_delivery()
returns table (id uuid, lease uuid, email text, member_id uuid, template text, wait int)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  now_is constant timestamptz := clock_timestamp();
  pace private.pace;
  is_braked constant boolean := private.describe_brake() is not null;
  welcomes_from timestamptz := '-infinity';
  due_at timestamptz;
  chosen private.outbox;
  spacing interval := interval '1 second' / private.limit_of('deliveries');
begin
  select * into pace from private.pace for update;
  perform private.prune(now_is);
  perform private.expire(now_is);
  if is_braked then welcomes_from := pace.next_welcome_at; end if;
  if pace.next_delivery_at <= now_is then chosen := private.choose_message(now_is, welcomes_from, pace.failures >= 3); end if;

  if chosen.id is null then
    due_at := private.find_next_try(welcomes_from);
    if due_at is null then return; end if;
    -- A due message may be locked, so the next lease waits a moment.
    due_at := greatest(due_at, pace.next_delivery_at, now_is + interval '0.1 seconds');
    wait := ceil(extract(epoch from due_at - now_is) * 1000);
    return next;
    return;
  end if;

  select handed.id, handed.lease, handed.email, handed.member_id, handed.template
    into id, lease, email, member_id, template from private.hand_out(chosen, now_is) as handed;
  if pace.failures >= 3 and id is not null then spacing := interval '3 minutes'; end if;
  update private.pace as held
    set next_delivery_at = now_is + spacing,
      next_welcome_at = case when is_braked and chosen.announcement is null
        then now_is + interval '1 minute' else held.next_welcome_at end
    where held.only_row;
  wait := extract(epoch from spacing) * 1000;
  return next;
end;
$$;

-- Deletes what is no longer needed. After a day, an event without a message belongs to a member who left, or to another sender.
create or replace function private.prune(now_is timestamptz) returns void language sql set search_path = '' as $$
  delete from private.calls as call where call.at < now_is - interval '1 hour';
  delete from private.former_members as former where former.left_at < now_is - interval '30 days';
  delete from private.delivery_events as event where event.delivery is null and event.at < now_is - interval '1 day';
$$;

-- After a day the provider has forgotten the id, so another try could arrive as a second message. In portions: the rest is left
-- to the next leases. Skips what is locked, because the recording of an outcome may wait for the lease.
create or replace function private.expire(now_is timestamptz) returns void language sql set search_path = '' as $$
  update private.outbox as entry set state = 'unknown', lease = null where entry.id in (
    select old.id from private.outbox as old
    where old.state = 'waiting' and old.uncertain_since < now_is - interval '23 hours'
    order by old.uncertain_since limit 1000 for update skip locked);
$$;

-- Returns the message to send now, or nothing: a welcome or a place, otherwise an announcement. Skips what is locked: a member is
-- leaving, or an earlier delivery is recording its outcome.
create or replace function private.choose_message(now_is timestamptz, welcomes_from timestamptz, is_probing boolean) returns private.outbox
language plpgsql set search_path = '' as $$
declare
  chosen private.outbox;
begin
  if welcomes_from > now_is then null;
  elsif not is_probing then
    select * into chosen from private.outbox as entry
      where entry.state = 'waiting' and entry.announcement is null and entry.next_try_at <= now_is
      order by entry.turn, entry.next_try_at limit 1 for update skip locked;
  else
    select * into chosen from private.outbox as entry
      where entry.state = 'waiting' and entry.announcement is null and entry.next_try_at <= now_is
      order by entry.tries, entry.turn, random() limit 1 for update skip locked;
  end if;
  if chosen.id is null then
    -- One index lookup for each announcement that runs: a stopped one may have any number of waiting rows.
    select entry.* into chosen from private.announcements as running cross join lateral (
        select * from private.outbox as entry
        where entry.announcement = running.name and entry.state = 'waiting' and entry.next_try_at <= now_is
        order by entry.next_try_at limit 1 for update skip locked
      ) as entry
      where not running.is_stopped order by running.queued_at limit 1;
  end if;
  return chosen;
end;
$$;

-- Returns when the next message is due, or null if none waits.
create or replace function private.find_next_try(welcomes_from timestamptz) returns timestamptz
language sql stable set search_path = '' as $$
  select min(first.next_try_at) from (
    (select greatest(entry.next_try_at, welcomes_from) as next_try_at from private.outbox as entry
      where entry.state = 'waiting' and entry.announcement is null
      order by entry.next_try_at limit 1)
    union all
    select (select entry.next_try_at from private.outbox as entry
        where entry.announcement = running.name and entry.state = 'waiting'
        order by entry.next_try_at limit 1)
      from private.announcements as running where not running.is_stopped
  ) as first;
$$;

-- Leases a message, or returns nothing. A message that is not sent still uses its turn: otherwise the gap would reveal it.
create or replace function private.hand_out(message private.outbox, now_is timestamptz)
returns table (id uuid, lease uuid, email text, member_id uuid, template text) language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  refusal constant text := private.describe_refusal(message);
begin
  if message.member is null then -- a place
    delete from private.outbox as entry where entry.id = message.id;
  elsif refusal is not null then
    update private.outbox as entry set state = 'refused', lease = null, last_problem = refusal
      where entry.id = message.id;
  elsif message.announcement is not null and exists (select from private.outbox as welcome
      where welcome.member = message.member and welcome.announcement is null and welcome.state <> 'sent') then
    -- The provider could not send the welcome after all, so nobody knows whether the address is right.
    update private.outbox as entry set next_try_at = now_is + interval '1 hour', last_problem = 'the welcome goes first'
      where entry.id = message.id;
  else
    return query
      update private.outbox as entry
        set lease = gen_random_uuid(), next_try_at = now_is + interval '1 minute', tries = entry.tries + 1,
          uncertain_since = coalesce(entry.uncertain_since, now_is)
        from private.members as member
        where entry.id = message.id and member.id = message.member
        returning entry.id, entry.lease, member.email, member.id, coalesce(message.template, (
          select announced.template from private.announcements as announced where announced.name = message.announcement));
  end if;
end;
$$;

create or replace function public.find_template(hash text) returns text language sql stable security definer set search_path = '' as $$
  select template.message from private.templates as template where template.hash = find_template.hash;
$$;

-- Records how a leased delivery ended (functions/resend-email/send-message.ts explains the outcomes). `sent` is recorded even if
-- the lease has expired.
create or replace function public.record_delivery(
  delivery uuid, held_lease uuid, outcome text, provider_message text, problem text, retry_after int
) returns void language plpgsql security definer set search_path = '' as $$
declare
  now_is constant timestamptz := clock_timestamp();
  message private.outbox;
  uncertain timestamptz;
  is_own_fault boolean;
begin
  select * into message from private.outbox as entry where entry.id = delivery;
  -- Locks the pace before the message, in the same order as a lease, so that the two cannot deadlock.
  perform private.adapt_pace(now_is, outcome, problem, retry_after, message.announcement is null);
  -- Locks the member first, as leaving does. Otherwise the two could deadlock: PostgreSQL looks for the member of a row that
  -- changes twice in a transaction.
  perform from private.members as member where member.id = message.member for key share;
  if outcome = 'sent' then
    update private.outbox as entry
      set state = 'sent', sent_at = now_is, provider_id = provider_message,
        lease = null, uncertain_since = null, last_problem = null
      where entry.id = delivery and entry.state <> 'sent' returning * into message;
    if found then
      perform private.match_events(provider_message);
      perform private.count_message(message, sent => 1);
    end if;
    return;
  end if;

  select * into message from private.outbox as entry where entry.id = delivery and entry.lease = held_lease for update;
  if not found then return; end if;
  -- An answer that is an error means that the message was not accepted. But an earlier try without an answer may have been.
  uncertain := case when outcome = 'unanswered' or message.uncertain_since < message.next_try_at - interval '1 minute'
    then message.uncertain_since end;
  -- While the provider accepts no other message of its kind either, this one is not the reason.
  is_own_fault := outcome in ('blocked', 'rejected') and (message.rejected_at is null or exists (
    select from private.outbox as other
    where other.sent_at > message.rejected_at and other.announcement is not distinct from message.announcement));
  update private.outbox as entry
    -- A new id, because the provider may remember the old one together with its refusal.
    set id = case when outcome in ('blocked', 'rejected') and uncertain is null then gen_random_uuid() else entry.id end,
      state = case when outcome = 'refused' or entry.rejections + is_own_fault::int >= 3 then 'refused' else 'waiting'
        end::private.delivery_state,
      tries = entry.tries - (outcome = 'postponed')::int,
      rejections = entry.rejections + is_own_fault::int,
      rejected_at = case when is_own_fault then now_is else entry.rejected_at end,
      uncertain_since = uncertain,
      next_try_at = now_is + case
        when outcome = 'postponed' then make_interval(secs => retry_after)
        when outcome in ('failed', 'unanswered')
          then least(interval '5 seconds' * power(2, least(entry.tries, 20) - 1), interval '15 minutes')
        else interval '5 minutes'
      end,
      lease = null, last_problem = problem
    where entry.id = delivery;
  if outcome = 'rejected' and message.announcement is not null then
    perform private.count_message(message, rejected => 1);
  end if;
end;
$$;

-- Slows deliveries down, or ends that, after an outcome.
create or replace function private.adapt_pace(now_is timestamptz, outcome text, problem text, retry_after int, is_welcome boolean)
returns void language sql set search_path = '' as $$
  update private.pace as pace
    set failures = counted.failures,
      problem = case when adapt_pace.outcome not in ('sent', 'refused') then adapt_pace.problem end,
      next_delivery_at = case
        when adapt_pace.outcome = 'postponed' then greatest(pace.next_delivery_at, now_is + make_interval(secs => retry_after))
        when counted.failures >= 3 then greatest(pace.next_delivery_at, now_is + interval '3 minutes')
        when pace.failures >= 3 and pace.next_delivery_at <= now_is + interval '3 minutes' then now_is
        else pace.next_delivery_at end
    from (
      select case when adapt_pace.outcome in ('sent', 'refused') then 0 when adapt_pace.outcome = 'blocked' then 3
        else before.failures + (adapt_pace.outcome = 'rejected' and is_welcome)::int end as failures
      from private.pace as before for update -- reads it after the outcomes that others are recording
    ) as counted
    where adapt_pace.outcome <> 'sent' or pace.problem is not null or pace.failures > 0;
$$;
