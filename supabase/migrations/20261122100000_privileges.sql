-- A migration that was applied is never edited: a change goes into a new file. Functions, views and triggers are in
-- supabase/routines/. supabase/README.md says when a change to one needs a drop here.

-- Older hosted projects grant everything in "public" to the API roles by default, newer ones nothing, and PostgreSQL lets
-- everybody execute new functions. From here on nobody may use a new table, and only the secret key a new public function.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated;
alter default privileges in schema public grant execute on functions to service_role;

-- The data API does not serve this schema, and its roles may not use it. …_waitlist.sql has row security and the grant of the list.
create schema private;
