-- The waitlist: who may write to it, what a row may hold, and one answer for everybody.

-- A schema that the data API does not serve.
create schema private;

-- The database's half of the address rule; its other half is functions/email-address.ts.
-- ASCII only: browsers send an international domain as punycode already. The collation keeps lower() and
-- the ranges of the pattern to ASCII, whatever the locale of the database.
create function private.normalize_email_address(raw text) returns text
language sql immutable strict parallel safe
set search_path = ''
return lower(btrim(raw, E' \t\n\f\r' || chr(11)) collate "C");

create function private.is_email_address(address text) returns boolean
language sql immutable strict parallel safe
set search_path = ''
return length(address) <= 254
  and address collate "C" ~ '^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$'
  and position('@' in address) <= 65;

create table public.waitlist_emails (
  email text not null,
  created_at timestamptz not null default now(),
  source text not null,
  -- True only inside the transaction that inserts an address which is on the list already.
  surplus boolean not null default false,
  constraint waitlist_emails_email_is_address check (private.is_email_address(email)),
  constraint waitlist_emails_source check (source = 'landing_page')
);

create unique index waitlist_emails_email_key on public.waitlist_emails (email) where not surplus;
-- The owner's pages: each goes on behind the last row of the page before. Counting rows off instead would read the whole
-- list again for every page, and would miss or repeat rows when somebody joins or leaves in between.
create index waitlist_emails_created_at_email_idx on public.waitlist_emails (created_at, email);

comment on table public.waitlist_emails is 'One row for each member of the waitlist.';
comment on column public.waitlist_emails.created_at is 'When the database saw the sign-up: a visitor''s clock is not to be trusted.';

-- The insert adds nobody by itself: only an address that the function accepted is kept. A refused duplicate (409) or a
-- skipped row (count 0) would tell a stranger who is on the list. So a row that adds nothing is inserted like any other and
-- marked here, and the mark is swept after the row was counted.
create function private.admit_waitlist_email() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if length(new.email) > 320 then
    raise exception 'email is too long' using errcode = '22023', hint = 'Send one e-mail address of at most 254 characters.';
  end if;
  new.email := private.normalize_email_address(new.email);
  if new.email is null or not private.is_email_address(new.email) then
    raise exception 'email is not an e-mail address' using errcode = '22023', hint = 'Send one address such as name@example.com.';
  end if;
  if new.source is distinct from 'landing_page' then
    raise exception 'source is not landing_page' using errcode = '22023', hint = 'Send the source landing_page.';
  end if;
  new.created_at := now();
  -- Without the lock two inserts at once would both find the list empty, and one of them would fail.
  perform pg_advisory_xact_lock(hashtextextended('waitlist_emails:' || new.email, 0));
  new.surplus := exists (select from public.waitlist_emails as member where member.email = new.email)
    or not exists (select from private.outbox as accepted where accepted.address = new.email);
  return new;
end;
$$;

create function private.sweep_surplus_waitlist_email() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  delete from public.waitlist_emails as entry where entry.email = new.email and entry.surplus;
  return null;
end;
$$;

create trigger admit before insert on public.waitlist_emails
  for each row execute function private.admit_waitlist_email();
create trigger sweep after insert on public.waitlist_emails
  for each row when (new.surplus) execute function private.sweep_surplus_waitlist_email();

alter table public.waitlist_emails enable row level security;

create policy "anyone may join" on public.waitlist_emails
  for insert to anon with check (source = 'landing_page');
