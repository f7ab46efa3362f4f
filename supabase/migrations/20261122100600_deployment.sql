create table private.deployment (
  only_row boolean primary key default true check (only_row),
  version text not null,
  deployed_at timestamptz not null default now(),
  -- A keyed hash of the last secret in TOKEN_SECRET. That secret makes the hashes of members: with another one, they match nobody.
  secret_fingerprint text not null
);
