-- The waitlist: who may write to it, what a row may contain, and the same answer for everybody.

-- The data API does not serve this schema.
create schema private;

-- The email rule of the database. ground/email-address.ts has the same rule.
-- ASCII only: browsers already send an international domain as punycode. The collation keeps lower() and
-- the ranges of the pattern to ASCII, whatever the locale of the database.
create function private.normalize_email_address(raw text) returns text
language sql immutable strict parallel safe
set search_path = ''
return lower(btrim(raw, E' \t\n\f\r' || chr(11)) collate "C");

create function private.is_email_address(email text) returns boolean
language sql immutable strict parallel safe
set search_path = ''
return length(email) <= 254
  and email collate "C" ~ '^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$'
  and position('@' in email) <= 65;

create table public.waitlist_emails (
  email text not null,
  created_at timestamptz not null default now(),
  source text not null,
  -- Only accept_sign_up sets it. The public key may not write this column, so every row that it inserts is swept.
  accepted boolean not null default false,
  constraint waitlist_emails_email_is_address check (private.is_email_address(email)),
  constraint waitlist_emails_source check (source = 'landing_page')
);

create unique index waitlist_emails_email_key on public.waitlist_emails (email) where accepted;
create index waitlist_emails_swept_idx on public.waitlist_emails (email) where not accepted;
-- For the owner's pages. Each page starts after the last row of the previous one. An offset would read the whole list for
-- every page, and would miss or repeat rows when somebody joins or leaves in between.
create index waitlist_emails_created_at_email_idx on public.waitlist_emails (created_at, email);

-- If somebody adds the table to the publication supabase_realtime, PostgreSQL refuses deletes without a replica
-- identity. Then inserted rows could not be swept, and members could not unsubscribe.
alter table public.waitlist_emails replica identity full;

comment on table public.waitlist_emails is 'One row for each member of the waitlist.';
comment on column public.waitlist_emails.created_at is 'When the database saw the sign-up: a visitor''s clock cannot be trusted.';
comment on column public.waitlist_emails.accepted is 'True for every member. A row without it disappears in the transaction that inserts it.';

-- The page inserts a row after the function has accepted the address. That row adds nobody, because accept_sign_up has
-- already added the member. So it needs no lookup and no lock, and known, new and unaccepted addresses get the same answer
-- in the same time. A refused duplicate (409) or a skipped row (count 0) would tell a stranger who is on the list. The
-- sweep runs after PostgreSQL has counted the row.
create function private.admit_waitlist_email() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if not new.accepted then
    if current_setting('waitlist.inserted', true) = 'yes' then
      raise exception 'one row at a time' using errcode = '22023', hint = 'Send an array of one row.';
    end if;
    perform set_config('waitlist.inserted', 'yes', true);
  end if;
  if length(new.email) > 320 then
    raise exception 'email is too long' using errcode = '22023', hint = 'Send one email address of at most 254 characters.';
  end if;
  new.email := private.normalize_email_address(new.email);
  if new.email is null or not private.is_email_address(new.email) then
    raise exception 'email is not an email address' using errcode = '22023', hint = 'Send one address such as name@example.com.';
  end if;
  if new.source is distinct from 'landing_page' then
    raise exception 'source is not landing_page' using errcode = '22023', hint = 'Send the source landing_page.';
  end if;
  return new;
end;
$$;

create function private.sweep_waitlist_email() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  delete from public.waitlist_emails as entry where entry.email = new.email and not entry.accepted;
  return null;
end;
$$;

create trigger admit before insert on public.waitlist_emails
  for each row execute function private.admit_waitlist_email();
create trigger sweep after insert on public.waitlist_emails
  for each row when (not new.accepted) execute function private.sweep_waitlist_email();

alter table public.waitlist_emails enable row level security;

create policy "anyone may join" on public.waitlist_emails
  for insert to anon with check (source = 'landing_page');
