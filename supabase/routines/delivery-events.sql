-- What the provider reports about a message after accepting it.

-- Connects new events with their message, and acts on them. Locked, because an event and the provider's answer that are recorded
-- at the same time could miss each other: both have to call this before they end.
create or replace function private.match_events(provider_message text) returns void language plpgsql set search_path = '' as $$
declare
  message private.outbox;
begin
  perform pg_advisory_xact_lock(hashtextextended(provider_message, 0));
  select * into message from private.outbox as entry where entry.provider_id = provider_message for key share;
  if not found then return; end if;
  -- The member's own hashes differ from those of the event if TOKEN_SECRET was lost since.
  with matched as (update private.delivery_events as event set delivery = message.id
    where event.message = provider_message and event.delivery is null returning event.kind, event.is_final)
  insert into private.never_mailed (hash)
    select case matched.kind when 'complained' then member.mailbox_hash else member.address_hash end
    from matched join private.members as member on member.id = message.member where matched.is_final on conflict do nothing;
  -- A message that Resend accepted and could not send, for the sender's reasons: https://resend.com/docs/webhooks/emails/failed
  -- It is tried for more than a day, because a day's quota may be the reason, and under a new id, because the provider recognizes
  -- the old one and would not send it again.
  update private.outbox as entry
    set id = gen_random_uuid(), state = case when entry.rejections < 3 and entry.left_at is null
        then 'waiting' else 'refused' end::private.delivery_state,
      next_try_at = clock_timestamp() + interval '1 hour' * power(5, entry.rejections),
      rejections = entry.rejections + 1, sent_at = null, provider_id = null,
      last_problem = 'Resend could not send it: ' || coalesce(failure.problem, 'no reason')
    from private.delivery_events as failure
    where entry.id = message.id and failure.message = provider_message and failure.kind = 'failed'
      and not exists (select from private.delivery_events as known
        where known.message = provider_message and known.kind = 'delivered');
end;
$$;

-- Records what the provider reports, once for each kind of event. The hashes are those of the address in the event: the message may
-- be unknown, because the answer that names it was lost.
create or replace function public.record_delivery_event(
  event_id text, provider_message text, kind text, is_final boolean, problem text, address_hash text, mailbox_hash text
) returns void language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  insert into private.delivery_events (id, message, kind, is_final, problem)
    values (event_id, provider_message, kind, is_final, problem) on conflict do nothing;
  if not found then return; end if; -- known: a repeated call bars nobody who was forgiven meanwhile
  perform private.match_events(provider_message);
  -- A complaint is about the mailbox, a bounce only about the address: a +tag can be anybody's invention.
  insert into private.never_mailed (hash)
    select barred.hash from (select case kind when 'complained' then mailbox_hash else address_hash end as hash) as barred
    where is_final and barred.hash is not null on conflict do nothing;
end;
$$;
