-- Members, and the messages to them. Each message is a row: the welcome and announcements alike.

create table private.members (
  -- Random, and new when a member returns. The unsubscribe token is this id, signed with a secret of the function.
  id uuid primary key default gen_random_uuid(),
  -- Deleting a member from the list deletes this row and what waits for the member.
  email text not null unique references public.waitlist_emails (email) on delete cascade,
  -- Keyed hashes of the address, and of the mailbox behind it (functions/_shared/mailbox.ts).
  address_hash text not null,
  mailbox_hash text not null
);
create index members_mailbox_idx on private.members (mailbox_hash);

-- Each text once: the subject, html and text of a message, with blanks for what differs between members.
create table private.templates (
  hash text primary key,
  message text not null,
  constraint templates_message_is_template check (message::jsonb ?& array['subject', 'html', 'text'])
);

create table private.announcements (
  name text primary key,
  template text not null references private.templates (hash),
  queued_at timestamptz not null default now(),
  is_stopped boolean not null default false,
  stopped_because text, -- null if the owner stopped it
  counted_since timestamptz not null default now() -- what happened before the owner resumed it no longer stops it
);

-- A refused message will not be sent, because of the provider or the mailbox. An unknown one may have been sent.
create type private.delivery_state as enum ('waiting', 'sent', 'refused', 'unknown');

-- Two columns say what a row is:
--   a member and no announcement   the member's welcome
--   a member and an announcement   that announcement
--   no member                      the place of a known address that signed up again: it is sent nothing, but it takes a turn
--                                  like a welcome, so that the gaps between other messages tell nobody who is on the list
create table private.outbox (
  id uuid primary key default gen_random_uuid(), -- the provider recognizes a repeated call by it
  member uuid, -- refers to private.members, but outlives the member
  announcement text references private.announcements (name),
  template text references private.templates (hash), -- of a welcome; an announcement has its own
  mailbox_hash text,
  is_test boolean not null default false, -- to a test address of the provider: anybody can make these bounce and complain
  state private.delivery_state not null default 'waiting',
  accepted_at timestamptz not null default now(),
  -- How many calls the same caller made in the hour before, or how many were made for the mailbox, whichever is more. Lower
  -- turns go first, so a stranger who fills the outbox hardly delays anybody else.
  turn int not null default 0,
  next_try_at timestamptz not null default now(),
  tried_at timestamptz,
  -- When the first try began that may have succeeded without our knowing. The provider forgets the id after 24 hours.
  uncertain_since timestamptz,
  tries int not null default 0,
  -- How many times the provider rejected it while it accepted others, or failed to send it after accepting it.
  rejections int not null default 0,
  rejected_at timestamptz,
  lease uuid, -- of the delivery that tries it now, or died; then the next try is a minute after the lease
  sent_at timestamptz,
  provider_id text, -- null if the message was accepted but the answer did not arrive
  last_problem text,
  left_at timestamptz -- when the member left; what may have been sent stays for 30 days
);

-- One welcome for each member, and each announcement once.
create unique index outbox_member_key on private.outbox (member, announcement) nulls not distinct where member is not null;
create index outbox_announcement_idx on private.outbox (announcement, state, next_try_at) where announcement is not null;
create index outbox_turn_idx on private.outbox (turn, next_try_at) where state = 'waiting' and announcement is null;
create index outbox_uncertain_idx on private.outbox (uncertain_since) where state = 'waiting' and uncertain_since is not null;
create index outbox_rejected_idx on private.outbox (announcement, rejected_at) where rejected_at is not null;
create index outbox_sent_at_idx on private.outbox (sent_at) where sent_at is not null;
create index outbox_provider_id_idx on private.outbox (provider_id) where provider_id is not null;
create index outbox_left_at_idx on private.outbox (left_at) where left_at is not null;
-- The messages that a mailbox has, or may have.
create index outbox_mailbox_idx on private.outbox (mailbox_hash)
  where state in ('sent', 'unknown') or uncertain_since is not null;

-- Addresses and mailboxes that bounced permanently, complained, were barred, or are suppressed at the provider. A row outlives its
-- member, but nobody can tell from it who was on the list.
create table private.never_mailed (hash text primary key);

create table private.pace (
  only_row boolean primary key default true check (only_row),
  next_delivery_at timestamptz not null default now(),
  next_welcome_at timestamptz not null default now(), -- while the brake is on
  problem text, -- why deliveries were paused; null once a message is sent
  -- What take_stock found:
  counted_at timestamptz not null default '-infinity',
  brake text, -- why welcomes are slowed down, or null
  full_until timestamptz, -- while the calls of all callers are above the ceiling
  resumed_at timestamptz not null default '-infinity' -- what came back before does not count for the brake
);

insert into private.pace (only_row) values (true);
