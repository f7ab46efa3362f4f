-- The limits, and what they count. Change a limit with set_limit; no migration is needed.
create table private.limits (
  name text primary key,
  value int not null,
  lowest int not null, -- a smaller value would break what it limits
  highest int not null, -- a larger one would limit nothing
  meaning text not null,
  constraint limits_value_is_sensible check (value between lowest and highest)
);

insert into private.limits (name, value, lowest, highest, meaning) values
  -- A school, a mobile carrier or the audience of a stream may be behind one IPv4 address.
  ('caller_calls', 600, 2, 10000, 'Sign-ups an hour from one caller: an IPv4 address or an IPv6 /48.'),
  -- Far above an honest rush, to keep a flood from filling the disk: docs/operations.md has the arithmetic.
  ('all_calls', 30000, 100, 1000000, 'The emergency ceiling: sign-ups an hour from all callers together.'),
  -- One run of the function lasts about a minute and sends at most 400 messages.
  ('deliveries', 2, 1, 6, 'Messages a second that are handed to the provider.'),
  ('sign_ups', 1, 0, 1, 'Whether visitors can sign up: 1 if they can, 0 if sign-ups are closed.');

-- The accepted calls of the last hour. The function makes all hashes, with a secret that the database does not have.
-- `caller_hash` is null if the IP address is unknown. Every call counts alike, whether its address is new or known.
create table private.calls (at timestamptz not null, caller_hash text, mailbox_hash text not null);

create index calls_at_idx on private.calls (at);
create index calls_caller_idx on private.calls (caller_hash, at);
create index calls_mailbox_idx on private.calls (mailbox_hash, at);

-- What happened in each hour, for the owner's summary.
create table private.hours (
  hour timestamptz primary key,
  refused int not null default 0, -- calls over a limit
  unsubscribed int not null default 0
);
