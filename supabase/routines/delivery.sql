-- Delivery: one message at a time, at the provider's pace. The rules are in docs/architecture.md.

-- Returns why a message must not be sent, or null.
create or replace function private.describe_refusal(message private.outbox) returns text language sql stable set search_path = '' as $$
  select case
    when private.is_never_mailed(member) then 'it bounced, complained or was barred before: never mailed again'
    when message.announcement is null and had.welcomes >= 3 then 'the mailbox already had three welcomes in 30 days'
    when had.announcements >= 1 then 'the mailbox already had this announcement'
    when message.announcement is not null and exists (select from private.outbox as welcome
      where welcome.member = message.member and welcome.announcement is null and welcome.state = 'refused' and welcome.tries > 0)
      then 'the welcome was refused'
  end
  from private.members as member cross join lateral (
    select count(*) filter (where other.announcement is null) as welcomes,
      count(*) filter (where other.announcement = message.announcement) as announcements
    from private.had as other
    where other.mailbox_hash = message.mailbox_hash and other.id <> message.id
      and (message.announcement is not null or other.at > now() - interval '30 days')
  ) as had
  where member.id = message.member;
$$;

-- Leases the next message, and sets the time of the next one, in `wait` milliseconds. `wait` comes alone while the pace or the brake
-- holds everything up, and with an `id` of null in a turn that sends nothing. Returns null if nothing is due.
create or replace function public.lease_delivery() returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  now_is constant timestamptz := clock_timestamp();
  spacing constant interval := interval '1 second' / private.limit_of('deliveries');
  pace private.pace;
  chosen private.outbox;
  due_in interval;
begin
  -- A call that comes too early does not wait: another delivery is at work, and many may ask. This one asks again some seconds later.
  select held.next_delivery_at - now_is + random() * interval '3 seconds' into due_in
    from private.pace as held where held.next_delivery_at > now_is;
  if found then
    perform private.take_stock(now_is); -- during a pause, too
  else
    perform from private.pace for update;
    perform private.take_stock(now_is);
    select * into pace from private.pace;
    if pace.next_delivery_at <= now_is then chosen := private.choose_message(now_is, pace.next_welcome_at); end if;
    due_in := greatest(pace.next_delivery_at, pace.next_welcome_at) - now_is;
  end if;
  if chosen.id is null then
    return case when due_in > interval '0' then jsonb_build_object('wait', ceil(extract(epoch from due_in) * 1000)) end;
  end if;

  update private.pace as held
    set next_delivery_at = now_is + spacing,
      -- The brake: a tenth of the pace.
      next_welcome_at = case when chosen.announcement is not null then held.next_welcome_at
        when held.brake is null then now_is else now_is + spacing * 10 end
    where held.only_row;
  -- A turn that sends nothing takes its time, so that other sign-ups cannot tell. An announcement can use that time.
  return coalesce(private.hand_out(chosen, now_is),
    case when chosen.announcement is null then private.hand_out(private.choose_message(now_is, 'infinity'), now_is) end,
    '{"id": null}') || jsonb_build_object('wait', extract(epoch from spacing) * 1000);
end;
$$;

-- At most every ten seconds, sets the brake and the ceiling, stops announcements, and deletes what is no longer needed: in portions, and
-- without what is locked, because the pace is locked meanwhile. The rest is left to the next time.
create or replace function private.take_stock(now_is timestamptz) returns void language plpgsql set search_path = '' as $$
begin
  perform from private.pace as pace where pace.counted_at < now_is - interval '10 seconds' for update skip locked;
  if not found then return; end if;

  delete from private.calls as call where call.ctid = any (array(
    select old.ctid from private.calls as old where old.at < now_is - interval '1 hour' limit 10000));
  delete from private.outbox as entry where entry.id in (
    select old.id from private.outbox as old where old.left_at < now_is - interval '30 days' limit 1000 for update skip locked);
  -- After two days, an event without a message belongs to another sender. Until then, a restore may bring its message.
  delete from private.delivery_events as event where event.id in (
    select old.id from private.delivery_events as old
    where old.delivery is null and old.at < now_is - interval '2 days' limit 1000 for update skip locked);
  -- After a day the provider has forgotten the id, so another try could arrive as a second message.
  update private.outbox as entry set state = 'unknown', lease = null where entry.id in (
    select old.id from private.outbox as old
    where old.state = 'waiting' and old.uncertain_since < now_is - interval '23 hours'
    order by old.uncertain_since limit 1000 for update skip locked);

  update private.pace as pace
    set counted_at = now_is, brake = private.describe_excess(null, now_is - interval '3 days', pace.resumed_at),
      full_until = case when exists (select from private.calls as call
        where call.at > now_is - interval '1 hour' offset private.limit_of('all_calls') - 1) then now_is + interval '1 minute' end
    where pace.only_row;
  update private.announcements as announced set is_stopped = true, stopped_because = found.reason
    from (
      select running.name, coalesce(private.describe_excess(running.name, running.counted_since, '-infinity'), case when (
          select count(*) from private.outbox as entry
          where entry.announcement = running.name and entry.rejected_at > greatest(running.counted_since, (
            select max(sent.sent_at) from private.outbox as sent where sent.announcement = running.name))
        ) >= 3 then 'three messages in a row were rejected' end) as reason
      from private.announcements as running
      where not running.is_stopped and exists (
        select from private.outbox as entry where entry.announcement = running.name and entry.state = 'waiting')
    ) as found
    where announced.name = found.name and found.reason is not null;
end;
$$;

-- Returns a sentence if too many messages came back, else null: of the welcomes, or of an announcement, sent since `sent_from`. Only
-- what was reported since `reported_from` counts, and nothing about the provider's test addresses. A complaint counts once for each
-- mailbox, a bounce each time, because the cap on a mailbox does not count it. Resend may close an account whose permanent bounces
-- pass 4 % or whose complaints pass 0.08 % (https://resend.com/legal/acceptable-use). Fewer than ten say nothing yet.
create or replace function private.describe_excess(announcement text, sent_from timestamptz, reported_from timestamptz) returns text
language sql stable set search_path = '' as $$
  with returned as (
    select count(distinct message.id) filter (where event.kind = 'bounced') as bounced,
      count(distinct message.mailbox_hash) filter (where event.kind = 'complained') as complained
    from private.delivery_events as event join private.outbox as message on message.id = event.delivery
    where event.kind <> 'delivered' and event.is_final and event.at > reported_from
      and message.announcement is not distinct from describe_excess.announcement
      and message.sent_at > sent_from and not message.is_test
  ), counted as (
    -- It reads every message, so only if the answer depends on it.
    select returned.*, (select count(*) from private.outbox as message where bounced + complained >= 10
      and message.announcement is not distinct from describe_excess.announcement
      and message.sent_at > sent_from and not message.is_test) as sent
    from returned
  )
  select case
    when bounced >= 10 and bounced > sent * 0.04
      then format('%s of %s messages bounced, and Resend tolerates 4 %%', bounced, sent)
    when complained >= 10 and complained > sent * 0.0008
      then format('%s of %s messages were marked as spam, and Resend tolerates 0.08 %%', complained, sent)
  end from counted;
$$;

-- Returns the message to send now, or nothing: a welcome or a place, otherwise an announcement. Skips what is locked: a member is
-- leaving, or an earlier delivery is recording its outcome.
create or replace function private.choose_message(now_is timestamptz, welcomes_from timestamptz) returns private.outbox
language plpgsql set search_path = '' as $$
declare
  chosen private.outbox;
begin
  if welcomes_from <= now_is then
    select * into chosen from private.outbox as entry
      where entry.state = 'waiting' and entry.announcement is null and entry.next_try_at <= now_is
      order by entry.turn, entry.next_try_at limit 1 for update skip locked;
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

-- Leases a message, or returns null. A message that is not sent still uses its turn: otherwise the gap would reveal it.
create or replace function private.hand_out(message private.outbox, now_is timestamptz) returns jsonb
language plpgsql set search_path = '' as $$
declare
  refusal constant text := private.describe_refusal(message);
  leased jsonb;
begin
  if not exists (select from private.members as known where known.id = message.member) then -- a place, or its member is gone
    delete from private.outbox as entry where entry.id = message.id;
  elsif refusal is not null then
    update private.outbox as entry set lease = null, tries = 0, last_problem = refusal,
        state = case when entry.uncertain_since is null then 'refused' else 'unknown' end::private.delivery_state
      where entry.id = message.id;
  elsif message.uncertain_since < now_is - interval '23 hours' then -- take_stock has not reached it yet
    update private.outbox as entry set state = 'unknown', lease = null where entry.id = message.id;
  else
    update private.outbox as entry
      set lease = gen_random_uuid(), next_try_at = now_is + interval '1 minute', tried_at = now_is, tries = entry.tries + 1,
        uncertain_since = coalesce(entry.uncertain_since, now_is)
      from private.members as member
      where entry.id = message.id and member.id = message.member
      returning jsonb_build_object('id', entry.id, 'lease', entry.lease, 'email', member.email, 'member_id', member.id,
        'template', coalesce(message.template, (
          select announced.template from private.announcements as announced where announced.name = message.announcement)))
      into leased;
  end if;
  return leased;
end;
$$;

create or replace function public.find_template(hash text) returns text language sql stable security definer set search_path = ''
return (select template.message from private.templates as template where template.hash = find_template.hash);

-- Done: the provider accepted a message. It is recorded even if the lease has expired or the member has left.
create or replace function public.record_sent(delivery uuid, provider_message text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- The pace first, as a lease locks it, or the two could deadlock. A pause that began meanwhile keeps its reason.
  update private.pace as pace set problem = null where pace.problem is not null and pace.next_delivery_at < now() + interval '2 seconds';
  update private.outbox as entry
    set state = 'sent', sent_at = clock_timestamp(), provider_id = provider_message,
      lease = null, uncertain_since = null, rejected_at = null, last_problem = null
    where entry.id = delivery and entry.state <> 'sent';
  if found and provider_message is not null then perform private.match_events(provider_message); end if;
end;
$$;

-- Records why a leased message was not sent (functions/resend-email/send-message.ts explains the outcomes). `paused` is
-- about no message in particular: all wait for `pause` seconds, and then the next in the usual order is tried. Everything else is
-- about this message, which waits longer each time.
create or replace function public.record_failure(delivery uuid, held_lease uuid, outcome text, problem text, pause int) returns void
language plpgsql security definer set search_path = '' as $$
declare
  now_is constant timestamptz := clock_timestamp();
  message private.outbox;
  uncertain timestamptz;
  rejected int := 0;
begin
  if outcome = 'paused' then
    update private.pace as pace
      set problem = record_failure.problem, next_delivery_at = greatest(pace.next_delivery_at, now_is + make_interval(secs => pause))
      where pace.only_row;
  end if;
  select * into message from private.outbox as entry where entry.id = delivery and entry.lease = held_lease for update;
  if not found then return; end if;
  -- An answer that is an error means that the message was not accepted. But an earlier try without an answer may have been.
  uncertain := case when outcome = 'unanswered' or message.uncertain_since < message.tried_at then message.uncertain_since end;
  -- While the provider accepts no other welcome either, this one is not the reason. An announcement stops itself instead.
  if outcome = 'rejected' and (message.announcement is not null or message.rejected_at is null or exists (
      select from private.outbox as other where other.sent_at > message.rejected_at and other.announcement is null))
    then rejected := 1; end if;
  update private.outbox as entry
    -- A new id, because the provider may remember the old one together with its refusal. After a pause only if no earlier try under
    -- it ended otherwise: a gateway may answer with an error for a provider that accepted the message.
    set id = case when outcome = 'rejected' and uncertain is null
        or outcome in ('rejected', 'paused') and entry.tries = entry.rejections + 1 then gen_random_uuid() else entry.id end,
      state = case
        when outcome <> 'refused' and entry.rejections + rejected <= 3 and (entry.left_at is null or uncertain is not null)
          then entry.state
        when uncertain is null then 'refused' else 'unknown' end,
      tries = entry.tries - (outcome = 'paused')::int,
      rejections = entry.rejections + rejected,
      rejected_at = case when outcome = 'rejected' then now_is else entry.rejected_at end,
      uncertain_since = uncertain,
      next_try_at = now_is + case when outcome = 'paused' then interval '0'
        else least(interval '1 minute' * power(4, least(entry.tries, 10) - 1), interval '1 hour') end,
      lease = null, last_problem = record_failure.problem
    where entry.id = delivery;
end;
$$;
