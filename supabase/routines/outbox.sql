-- What a mailbox was sent. It is kept for 30 days after the member has left; then take_stock in delivery.sql deletes it.

create or replace function private.store_template(message text) returns text language sql set search_path = '' as $$
  -- Asks first: an insert checks its constraint, which reads the whole text, even if the row exists.
  insert into private.templates (hash, message) select md5(store_template.message), store_template.message
    where not exists (select from private.templates as known where known.hash = md5(store_template.message)) on conflict do nothing;
  select md5(store_template.message);
$$;

create or replace function private.is_never_mailed(member private.members) returns boolean language sql stable set search_path = ''
return exists (select from private.never_mailed as known where known.hash in (member.address_hash, member.mailbox_hash));

-- The messages that somebody had: sent, or perhaps sent, and not come back. Those of members who left stay for 30 days.
create or replace view private.had as
  select message.id, message.member, message.mailbox_hash, message.announcement,
    coalesce(message.sent_at, message.uncertain_since) as at
  from private.outbox as message
  where (message.state in ('sent', 'unknown') or message.uncertain_since is not null)
    and coalesce((
      select bool_or(event.kind = 'delivered') or not bool_or(event.kind in ('bounced', 'suppressed'))
      from private.delivery_events as event where event.delivery = message.id), true);

-- Leaving forgets the member, but not what was sent: a second click gets the answer of the first, reports that come later still
-- count, and nobody gets more by leaving and coming back.
create or replace function private.keep_what_was_sent() returns trigger language plpgsql set search_path = '' as $$
begin
  delete from private.outbox as entry
    where entry.member = old.id and entry.state in ('waiting', 'refused') and entry.uncertain_since is null;
  update private.outbox as entry
    set left_at = now(), state = case entry.state when 'sent' then 'sent' else 'unknown' end::private.delivery_state
    where entry.member = old.id;
  return null;
end;
$$;
create or replace trigger keep_what_was_sent after delete on private.members
  for each row execute function private.keep_what_was_sent();

-- Work on many members waits for other such work, so that the two cannot deadlock. Nobody else waits.
create or replace function private.wait_for_other_bulk_work() returns void language sql set search_path = '' as $$
  select pg_advisory_xact_lock(hashtextextended('bulk work', 0));
$$;
