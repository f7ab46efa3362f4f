-- Members, and the messages to them. Each message is a row that refers to a template: the welcome and announcements alike.

create table private.members (
  -- Random, and new when a member returns. The function derives the unsubscribe token from it and its own secret, so that
  -- every message to the member contains the same link. Only the hash of the token is stored.
  id uuid primary key,
  -- Deleting a member from the list deletes this row and the messages of the member.
  email text not null unique references public.waitlist_emails (email) on delete cascade,
  token_hash text not null unique,
  -- The mailbox behind the address: +tags do not count, and dots do not count at Gmail (functions/_shared/mailbox.ts).
  mailbox_hash text not null
);
create index members_mailbox_idx on private.members (mailbox_hash);

-- Each text once: the subject, html and text of a message, with blanks for what differs between members.
create table private.templates (
  hash text primary key,
  message text not null,
  constraint templates_message_is_template check (message::jsonb ?& array['subject', 'html', 'text'])
);

create function private.store_template(message text) returns text language sql set search_path = '' as $$
  insert into private.templates (hash, message)
    select md5(store_template.message), store_template.message
    where not exists (select from private.templates as known where known.hash = md5(store_template.message))
    on conflict do nothing;
  select md5(store_template.message);
$$;

create table private.announcements (
  name text primary key,
  template text not null references private.templates (hash),
  queued_at timestamptz not null default now(),
  is_stopped boolean not null default false
);
create index announcements_template_idx on private.announcements (template);

-- A refused message will not be sent, because of the provider or the mailbox. An unknown one may have been sent.
create type private.delivery_state as enum ('waiting', 'sent', 'refused', 'unknown');

-- What a row is follows from three columns:
--   a member and no announcement   the member's welcome
--   a member and an announcement   that announcement
--   no member, but an email        a test of an announcement, in no figures and deleted afterward
--   neither                        the place of a known address that signed up again: it is sent nothing, but it takes a turn
--                                  like a welcome, so that the gaps between other messages tell nobody who is on the list
create table private.outbox (
  id uuid primary key default gen_random_uuid(), -- the provider recognizes a repeated call by it
  member uuid references private.members (id) on delete cascade,
  announcement text references private.announcements (name),
  email text,
  template text references private.templates (hash), -- of a welcome or a test; an announcement has its own
  mailbox_hash text,
  state private.delivery_state not null default 'waiting',
  accepted_at timestamptz not null default now(),
  -- How many calls the same caller made in the hour before. Lower turns go first: each caller's first welcome is sent before
  -- anybody's second, so a stranger who fills the outbox hardly delays anybody else. A test has the turn -1.
  turn int not null default 0,
  next_try_at timestamptz not null default now(),
  -- When the first try began that may have succeeded without our knowing. The provider forgets the id after 24 hours.
  uncertain_since timestamptz,
  tries int not null default 0,
  blocks int not null default 0, -- how many times the provider blocked it
  lease uuid,
  leased_until timestamptz,
  sent_at timestamptz,
  provider_id text,
  last_problem text
);

-- One welcome for each member, and each announcement once.
create unique index outbox_member_key on private.outbox (member, announcement) nulls not distinct where member is not null;
create index outbox_template_idx on private.outbox (template) where template is not null;
create index outbox_announcement_idx on private.outbox (announcement, state, next_try_at) where announcement is not null;
create index outbox_turn_idx on private.outbox (turn, next_try_at) where state = 'waiting' and announcement is null;
create index outbox_next_try_at_idx on private.outbox (next_try_at) where state = 'waiting' and announcement is null;
create index outbox_uncertain_idx on private.outbox (uncertain_since) where state = 'waiting' and uncertain_since is not null;
create index outbox_test_idx on private.outbox (accepted_at) where email is not null;
create index outbox_provider_id_idx on private.outbox (provider_id) where provider_id is not null;
-- The messages that a mailbox has, or may have.
create index outbox_mailbox_idx on private.outbox (mailbox_hash)
  where state in ('sent', 'unknown') or uncertain_since is not null;

create index outbox_unsent_idx on private.outbox (accepted_at, id)
  where state <> 'sent' and (announcement is null or state <> 'waiting' or last_problem is not null);

-- What the owner sees as not sent. Announcements that only wait are not listed: there may be one for each member.
create view private.unsent as
  select entry.*, member.email as address from private.outbox as entry join private.members as member on member.id = entry.member
  where entry.state <> 'sent' and (entry.announcement is null or entry.state <> 'waiting' or entry.last_problem is not null);

-- Mailboxes from which a message bounced permanently, or whose owner complained. A row outlives its member. It contains
-- nothing but the hash, so nobody can tell from it who was on the list.
create table private.never_mailed (mailbox_hash text primary key);

-- Unsubscribe tokens that were used in the last ten minutes, so that a second click gets the same answer as the first.
create table private.used_tokens (
  token_hash text primary key, mailbox_hash text not null, used_at timestamptz not null default now()
);

-- One row for all deliveries: when the next message may be handed to the provider, and which messages it refused in a row
-- with the same answer, one that says nothing about the recipient.
create table private.pace (
  only_row boolean primary key default true check (only_row),
  next_delivery_at timestamptz not null default now(),
  refused_alike uuid[] not null default '{}',
  refused_with text
);

insert into private.pace (only_row) values (true);

create function private.is_never_mailed(mailbox_hash text) returns boolean language sql stable set search_path = ''
return exists (select from private.never_mailed as known where known.mailbox_hash = is_never_mailed.mailbox_hash);
