-- The waitlist: what a row contains, and the insert that the public key may make.

-- The email rule of the database. shared/email-address.ts has the same rule.
-- ASCII only: the page and the function convert international domains before. The collation keeps lower() and the ranges of
-- the pattern to ASCII, whatever the locale of the database.
create function private.normalize_email_address(raw text) returns text
language sql immutable strict parallel safe set search_path = ''
return lower(btrim(raw, E' \t\n\f\r' || chr(11)) collate "C");

create function private.is_email_address(email text) returns boolean
language sql immutable strict parallel safe set search_path = ''
return length(email) <= 254
  and email collate "C" ~ ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
    || '@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$')
  and position('@' in email) <= 65;

-- One row for each member.
create table public.waitlist_emails (
  email text primary key,
  -- When the database saw the sign-up: a visitor's clock cannot be trusted.
  created_at timestamptz not null default now(),
  source text not null,
  constraint waitlist_emails_email_is_address check (private.is_email_address(email)),
  constraint waitlist_emails_source check (source = 'landing_page')
);

-- For the lists of the owner, which are in the order of joining, and for the number of sign-ups in a day.
create index waitlist_emails_created_at_email_idx on public.waitlist_emails (created_at, email);

-- There is no policy: without the trigger in ../routines/membership.sql, every insert with the public key would fail.
alter table public.waitlist_emails enable row level security;
grant insert (email, created_at, source) on public.waitlist_emails to anon;
