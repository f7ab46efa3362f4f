-- The roles of a hosted Supabase project before its first migration. The superuser is supabase_admin. The migrations run
-- as "postgres", which is not a superuser.
-- Source: supabase/postgres, migrations/db (initial schema, 20220118070449, 20230201083204).

create role postgres login nosuperuser createdb createrole replication bypassrls password 'postgres';
alter database postgres owner to postgres;

create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;

-- The data API logs in as this role and then switches to the role of the request's key.
create role authenticator login noinherit password 'postgres';
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to postgres with admin option;

-- A login gets the timeouts of its role. The data API of a hosted project then applies those of the role that it switches to;
-- here, these are for every role.
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';

create schema extensions authorization postgres;
grant usage on schema public, extensions to postgres, anon, authenticated, service_role;
grant all on schema public to postgres;

-- Projects made before November 2026 grant everything in "public" to the API roles, newer ones nothing. This is the older,
-- riskier kind; the tests run the migrations on both.
alter default privileges for role postgres in schema public grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to postgres, anon, authenticated, service_role;
