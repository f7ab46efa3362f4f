create or replace function private.store_template(message text) returns text language sql set search_path = '' as $$
  insert into private.templates (hash, message)
    select md5(store_template.message), store_template.message
    where not exists (select from private.templates as known where known.hash = md5(store_template.message))
    on conflict do nothing;
  select md5(store_template.message);
$$;

create or replace function private.is_never_mailed(member private.members) returns boolean language sql stable set search_path = ''
return exists (select from private.never_mailed as known where known.hash in (member.address_hash, member.mailbox_hash));

create or replace function private.keep_former_member() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into private.former_members (id, mailbox_hash, messages)
    select old.id, old.mailbox_hash, array_agg(entry.announcement) from private.outbox as entry
    where entry.member = old.id and (entry.state in ('sent', 'unknown') or entry.uncertain_since is not null)
    having count(*) > 0
    on conflict do nothing;
  return old;
end;
$$;
-- Before the messages are deleted, too.
create or replace trigger keep_former_member before delete on private.members
  for each row execute function private.keep_former_member();

-- Work on many members waits for other such work, so that the two cannot deadlock. Nobody else waits.
create or replace function private.wait_for_other_bulk_work() returns void language sql set search_path = '' as $$
  select pg_advisory_xact_lock(hashtextextended('bulk work', 0));
$$;
