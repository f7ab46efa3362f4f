-- Returns why messages come back too often, or null. Resend may close an account whose permanent bounces pass 4 % or whose
-- complaints pass 0.08 % (https://resend.com/legal/acceptable-use). Fewer than ten say nothing yet.
create or replace function private.describe_excess(sent bigint, bounced bigint, complained bigint) returns text
language sql immutable set search_path = '' return case
  when bounced >= 10 and bounced > sent * 0.04
    then format('%s of %s messages bounced, and Resend tolerates 4 %%', bounced, sent)
  when complained >= 10 and complained > sent * 0.0008
    then format('%s of %s messages were marked as spam, and Resend tolerates 0.08 %%', complained, sent)
end;

-- Counts what happened to a message: to a welcome in the hour in which it was sent, to an announcement in its own figures. An
-- announcement stops itself when its messages come back too often, or when the provider rejects three in a row.
create or replace function private.count_message(
  message private.outbox, sent int default 0, bounced int default 0, complained int default 0, rejected int default 0
) returns void language plpgsql set search_path = '' as $$
declare
  counted private.announcements;
  reason text;
begin
  -- Anybody can sign up the provider's test addresses, which bounce and complain on request.
  if exists (select from private.members as member where member.id = message.member and member.email like '%@resend.dev')
    then return; end if;
  if message.announcement is null then
    perform private.count_in_hour(coalesce(message.sent_at, now()), sent => sent, bounced => bounced, complained => complained);
    return;
  end if;
  update private.announcements as announced
    set sent = announced.sent + count_message.sent, bounced = announced.bounced + count_message.bounced,
      complained = announced.complained + count_message.complained,
      rejected = case when count_message.sent > 0 then 0 else announced.rejected + count_message.rejected end
    where announced.name = message.announcement and coalesce(message.sent_at, now()) >= announced.counted_since
    returning * into counted;
  reason := coalesce(private.describe_excess(counted.sent, counted.bounced, counted.complained),
    case when counted.rejected >= 3 then 'three messages in a row were rejected' end);
  update private.announcements as announced set is_stopped = true, stopped_because = reason
    where announced.name = counted.name and reason is not null and not announced.is_stopped;
end;
$$;

-- Connects new events with their message, and acts on them. Locked, because an event and the provider's answer that are recorded
-- at the same time could miss each other: both have to call this before they end.
create or replace function private.match_events(provider_message text) returns void language plpgsql set search_path = '' as $$
declare
  message private.outbox;
  event private.delivery_events;
begin
  perform pg_advisory_xact_lock(hashtextextended(provider_message, 0));
  -- If the member is leaving at this moment, `for key share` waits for that, and then finds no message.
  select * into message from private.outbox as entry where entry.provider_id = provider_message for key share;
  if not found then return; end if;
  for event in
    update private.delivery_events as known set delivery = message.id
      where known.message = provider_message and known.delivery is null returning known.*
  loop
    if event.is_final then
      perform private.count_message(
        message, bounced => (event.kind = 'bounced')::int, complained => (event.kind = 'complained')::int);
    elsif event.kind = 'failed' and not exists (select from private.delivery_events as known
        where known.message = provider_message and known.kind = 'delivered') then
      -- The reasons are the sender's, such as a quota: https://resend.com/docs/webhooks/emails/failed
      perform private.count_message(message, sent => -1);
      -- A new id, because the provider recognizes the old one and would not send it again.
      update private.outbox as entry
        set id = gen_random_uuid(), state = case when entry.resends < 3 then 'waiting' else 'refused' end::private.delivery_state,
          next_try_at = clock_timestamp() + interval '1 hour', resends = entry.resends + 1, tries = 0, sent_at = null,
          provider_id = null, last_problem = 'Resend could not send it: ' || coalesce(event.problem, 'no reason')
        where entry.id = message.id;
    end if;
  end loop;
end;
$$;

-- Records what the provider reports, once for each kind of event. The hashes are those of the address in the event: the message may
-- be unknown, because the member has left.
create or replace function public.record_delivery_event(
  event_id text, provider_message text, kind text, is_final boolean, problem text, address_hash text, mailbox_hash text
) returns void language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  insert into private.delivery_events (id, message, kind, is_final, problem)
    values (event_id, provider_message, kind, is_final, problem)
    on conflict do nothing;
  perform private.match_events(provider_message);
  -- A complaint is about the mailbox, a bounce only about the address: a +tag can be anybody's invention.
  insert into private.never_mailed (hash)
    select barred.hash from (select case kind when 'complained' then mailbox_hash else address_hash end as hash) as barred
    where is_final and barred.hash is not null
    on conflict do nothing;
end;
$$;

-- Lets a member be mailed again. Returns false if nothing prevented that. `retry_outbox` queues what was refused meanwhile.
create or replace function public.forgive(email text) returns boolean language sql security definer set search_path = '' as $$
  with forgiven as (
    delete from private.never_mailed as known where known.hash in (
      select unnest(array[member.address_hash, member.mailbox_hash]) from private.members as member
      where member.email = private.normalize_email_address(forgive.email)) returning 1
  ) select exists (select from forgiven);
$$;
