-- Delivery: one message at a time, at the provider's pace. What protects mailboxes and the owner's account is decided here.

-- Returns why deliveries are slowed down, or null. Resend may close an account whose permanent bounces pass 4 % or whose
-- complaints pass 0.08 % (https://resend.com/legal/acceptable-use). Fewer than ten bounces or three complaints say nothing
-- yet: one of ten bounces, with a typo, and one complaint is 0.1 % of a thousand messages. The brake ends by itself when the
-- rates of the last day are good again.
create function private.describe_brake() returns text language sql stable set search_path = '' as $$
  select case
    when day.bounced >= 10 and day.bounced > day.sent * 0.04
      then format('%s of %s messages of the last day bounced, and Resend tolerates 4 %%', day.bounced, day.sent)
    when day.complained >= 3 and day.complained > day.sent * 0.0008
      then format('%s of %s messages of the last day were marked as spam, and Resend tolerates 0.08 %%', day.complained, day.sent)
    end
  from (
    select sum(counted.sent) as sent, sum(counted.bounced) as bounced, sum(counted.complained) as complained
    from private.hours as counted where counted.hour > now() - interval '1 day'
  ) as day;
$$;

-- Returns why a message must not be sent, or null.
create function private.describe_refusal(entry private.outbox) returns text language sql stable set search_path = '' as $$
  select case
    when private.is_never_mailed(entry.mailbox_hash) then 'the mailbox bounced or complained before: never mailed again'
    when entry.member is null then null
    -- A stranger may sign up any number of spellings of one mailbox. Sent messages count for as long as their members exist.
    when entry.announcement is null and sent.welcomes >= 3 then 'the mailbox already has three welcomes, to other spellings'
    when sent.announcements >= 1 then 'the mailbox already has this announcement, at another spelling'
    end
  from (
    select count(*) filter (where other.announcement is null) as welcomes,
      count(*) filter (where other.announcement = entry.announcement) as announcements
    from private.outbox as other
    where other.mailbox_hash = entry.mailbox_hash and other.id <> entry.id
      and (other.state in ('sent', 'unknown') or other.uncertain_since is not null)
  ) as sent;
$$;

-- Leases the next message and sets the time of the next delivery. Tests come first, then welcomes, then announcements that are
-- not stopped, oldest first. `wait` is the number of milliseconds until the next lease. Everything else is null if there is
-- nothing to send now. Returns no row if nothing waits.
create function public.lease_delivery()
returns table (id uuid, lease uuid, email text, member_id uuid, template text, wait int)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  now_is constant timestamptz := clock_timestamp();
  spacing interval := interval '1 second' / private.limit_of('deliveries');
  next_at timestamptz;
  highest_turn int;
  due private.outbox;
  refusal text;
begin
  select pace.next_delivery_at into next_at from private.pace as pace for update;
  delete from private.calls as call where call.at < now_is - interval '1 hour';
  delete from private.hours as counted where counted.hour < now_is - interval '15 days';
  delete from private.used_tokens as used where used.used_at < now_is - interval '10 minutes';
  -- After a day the provider has forgotten the id, so another try could arrive as a second message.
  update private.outbox as entry set state = 'unknown', lease = null, leased_until = null
    where entry.state = 'waiting' and entry.uncertain_since < now_is - interval '23 hours'
      and coalesce(entry.leased_until, '-infinity') < now_is;
  -- While the brake is on, only the first welcome of each caller is sent.
  highest_turn := case when private.describe_brake() is null then 2147483647 else 0 end;

  if next_at <= now_is then
    -- Skips what is locked: a member is leaving, or an earlier delivery is recording its outcome.
    select * into due from private.outbox as entry
      where entry.state = 'waiting' and entry.announcement is null and entry.turn <= highest_turn
        and entry.next_try_at <= now_is and coalesce(entry.leased_until, '-infinity') < now_is
      order by entry.turn, entry.next_try_at limit 1 for update skip locked;
    if due.id is null and highest_turn > 0 then
      -- One index lookup for each announcement that runs: a stopped one may have any number of waiting rows.
      select entry.* into due from private.announcements as running cross join lateral (
          select * from private.outbox as entry
          where entry.announcement = running.name and entry.state = 'waiting'
            and entry.next_try_at <= now_is and coalesce(entry.leased_until, '-infinity') < now_is
          order by entry.next_try_at limit 1 for update skip locked
        ) as entry
        where not running.is_stopped order by running.queued_at limit 1;
    end if;
  end if;

  if due.id is null then
    select ceil(extract(epoch from greatest(next_at, min(waiting.next_try_at)) - now_is) * 1000) into wait from (
      (select entry.next_try_at from private.outbox as entry
        where entry.state = 'waiting' and entry.announcement is null and entry.turn <= highest_turn
          and coalesce(entry.leased_until, '-infinity') < now_is
        order by entry.next_try_at limit 1)
      union all
      select (select entry.next_try_at from private.outbox as entry
          where entry.announcement = running.name and entry.state = 'waiting'
            and coalesce(entry.leased_until, '-infinity') < now_is
          order by entry.next_try_at limit 1)
        from private.announcements as running where not running.is_stopped and highest_turn > 0
    ) as waiting where waiting.next_try_at is not null having count(*) > 0;
    wait := greatest(1, wait);
    if found then return next; end if;
    return;
  end if;

  -- Makes up for a lease that comes a little late, so that the pace does not depend on how long a lease takes.
  spacing := spacing - least(now_is - next_at, spacing / 2);
  update private.pace set next_delivery_at = now_is + spacing where only_row;
  wait := extract(epoch from spacing) * 1000;

  -- What is not sent uses up its turn like what is sent. Otherwise the gap would show it.
  refusal := private.describe_refusal(due);
  if due.member is null and due.email is null then -- a place
    delete from private.outbox as entry where entry.id = due.id;
  elsif refusal is not null then
    update private.outbox as entry set state = 'refused', lease = null, leased_until = null, last_problem = refusal
      where entry.id = due.id;
  elsif due.announcement is not null and exists (select from private.outbox as welcome
      where welcome.member = due.member and welcome.announcement is null and welcome.state = 'waiting') then
    -- A member whose welcome must be tried again gets the announcement after it.
    update private.outbox as entry set next_try_at = now_is + interval '1 minute' where entry.id = due.id;
  else
    update private.outbox as entry
      set lease = gen_random_uuid(), leased_until = now_is + interval '1 minute', tries = entry.tries + 1,
        uncertain_since = coalesce(entry.uncertain_since, now_is)
      where entry.id = due.id
      returning entry.id, entry.lease into id, lease;
    template := coalesce(due.template, (
      select announcement.template from private.announcements as announcement where announcement.name = due.announcement));
    -- The unsubscribe link of a test is that of the member with this address. Otherwise it unsubscribes nobody.
    select coalesce(due.email, member.email), coalesce(member.id, due.id) into email, member_id
      from (values (1)) as one_row
      left join private.members as member on member.id = due.member or member.email = due.email;
  end if;
  return next;
end;
$$;

create function public.find_template(hash text) returns table (message text)
language sql stable security definer set search_path = '' as $$
  select template.message from private.templates as template where template.hash = find_template.hash;
$$;

-- Records how a leased delivery ended (functions/resend-email/send-message.ts explains the outcomes). After three different
-- messages in a row that were rejected or blocked with the same problem, the key or the sender must be wrong. Then all messages
-- wait, and the rejected ones are tried again. `sent` is recorded even if the lease has expired.
create function public.record_delivery(
  delivery uuid, held_lease uuid, outcome text, provider_message text, problem text, retry_after int
) returns void language plpgsql security definer set search_path = '' as $$
declare
  now_is constant timestamptz := clock_timestamp();
  alike uuid[];
begin
  -- Locks the pace before the message, in the same order as a lease, so that the two cannot deadlock.
  if outcome in ('sent', 'refused') then
    -- The provider accepted the key and the sender.
    update private.pace set refused_alike = '{}' where refused_alike <> '{}';
  elsif outcome = 'postponed' then
    update private.pace
      set next_delivery_at = greatest(next_delivery_at, now_is + make_interval(secs => retry_after)) where only_row;
  elsif outcome in ('blocked', 'rejected') then
    update private.pace
      set refused_with = problem, refused_alike = array_remove(
        case when refused_with is not distinct from problem then refused_alike else '{}' end, delivery) || delivery
      where only_row
      returning refused_alike into alike;
    update private.pace
      set next_delivery_at = greatest(next_delivery_at, now_is + interval '5 minutes'),
        refused_alike = alike[cardinality(alike) - 2:] where cardinality(alike) >= 3;
  end if;

  -- Locks the member first, as leaving does. Otherwise the two could deadlock: PostgreSQL looks for the member of a row that
  -- changes twice in a transaction.
  perform from private.members as member
    where member.id = (select entry.member from private.outbox as entry where entry.id = delivery) for key share;
  if outcome = 'sent' then
    update private.outbox as entry
      set state = 'sent', sent_at = now_is, provider_id = provider_message,
        lease = null, leased_until = null, uncertain_since = null, last_problem = null
      where entry.id = record_delivery.delivery and entry.state <> 'sent';
    if found then
      perform private.match_events(provider_message);
      perform private.count_in_hour(sent => 1);
    end if;
    return;
  end if;

  update private.outbox as entry
    set state = case when outcome in ('refused', 'rejected') then 'refused'::private.delivery_state else 'waiting' end,
      tries = case when outcome in ('postponed', 'blocked') then entry.tries - 1 else entry.tries end,
      blocks = case when outcome = 'blocked' then entry.blocks + 1 else entry.blocks end,
      -- After all other welcomes, because the provider may accept those.
      turn = case when outcome = 'blocked' then 1000000 else entry.turn end,
      -- Only a first try proves that the provider has not accepted the message: an earlier try may have succeeded.
      uncertain_since = case when outcome <> 'failed' and entry.tries <= 1 then null else entry.uncertain_since end,
      next_try_at = now_is + case outcome
        when 'postponed' then make_interval(secs => retry_after)
        when 'blocked' then least(interval '5 minutes' * power(2, least(entry.blocks, 10)), interval '1 hour')
        when 'failed' then least(interval '5 seconds' * power(2, least(entry.tries, 20) - 1), interval '15 minutes')
        else interval '0'
      end,
      lease = null, leased_until = null, last_problem = problem
    where entry.id = record_delivery.delivery and entry.lease = held_lease;
  -- A new id, because the provider may remember the old one together with its refusal.
  update private.outbox as entry
    set id = gen_random_uuid(), state = 'waiting', tries = 0, uncertain_since = null, next_try_at = now_is + interval '5 minutes'
    where cardinality(alike) >= 3 and entry.id = any (alike) and entry.state = 'refused';
end;
$$;

-- With microseconds, which most clients round: a rounded time cannot mark where a page ended.
create function private.format_time(moment timestamptz) returns text language sql stable strict set search_path = ''
return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- Returns what holds up deliveries and sign-ups. `paused_until` is set while the provider accepts nothing, and `problem` is the
-- latest problem of a waiting message. `brake` says why only the first welcome of each caller is sent. `refused` counts the
-- calls that a limit refused today (UTC), and `over_ceiling` those that the emergency ceiling refused.
create function private.describe_hold_up()
returns table (paused_until text, problem text, brake text, refused bigint, over_ceiling bigint)
language sql stable set search_path = '' as $$
  select
    (select private.format_time(pace.next_delivery_at) from private.pace as pace
      where pace.next_delivery_at > now() + interval '1 minute'),
    (select entry.last_problem from private.outbox as entry
      where entry.state = 'waiting' and entry.last_problem is not null order by entry.next_try_at desc limit 1),
    private.describe_brake(),
    coalesce(sum(counted.refused), 0), coalesce(sum(counted.over_ceiling), 0)
  from private.hours as counted where counted.hour >= date_trunc('day', now(), 'UTC');
$$;

-- Lifts the brake: bounces and complaints until now no longer count.
create function public.lift_brake() returns void language sql security definer set search_path = '' as $$
  update private.hours as counted set bounced = 0, complained = 0 where counted.bounced + counted.complained > 0;
$$;

create function private.count_ahead(welcome private.outbox) returns bigint language sql stable set search_path = '' as $$
  select count(*) from private.outbox as other where other.state = 'waiting' and other.announcement is null
    and (other.turn, other.next_try_at) < (welcome.turn, welcome.next_try_at);
$$;

-- Returns all announcements with their figures. `refused` includes those who bounced or complained before their turn.
create function private.list_announcements() returns table (
  name text, queued_at text, is_stopped boolean,
  sent bigint, waiting bigint, refused bigint, unknown bigint, bounced bigint, complained bigint
) language sql stable set search_path = '' as $$
  select announcement.name, private.format_time(announcement.queued_at), announcement.is_stopped,
    count(*) filter (where entry.state = 'sent'), count(*) filter (where entry.state = 'waiting'),
    count(*) filter (where entry.state = 'refused'), count(*) filter (where entry.state = 'unknown'),
    count(*) filter (where returned.bounced), count(*) filter (where returned.complained)
  from private.announcements as announcement
  left join private.outbox as entry on entry.announcement = announcement.name
  left join (
    select event.delivery, bool_or(event.kind = 'bounced') as bounced, bool_or(event.kind = 'complained') as complained
    from private.delivery_events as event where event.kind <> 'delivered' group by event.delivery
  ) as returned on returned.delivery = entry.id
  group by announcement.name order by announcement.queued_at;
$$;
