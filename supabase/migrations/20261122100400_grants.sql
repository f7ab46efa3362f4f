-- The rights of each role. Older hosted projects grant everything in "public" to the API roles by default, newer ones
-- nothing. So this file revokes everything first, then grants exactly what is needed.

revoke all on public.waitlist_emails from public, anon, authenticated, service_role;
grant insert (email, created_at, source) on public.waitlist_emails to anon;

revoke all on all functions in schema private from public;
-- A check constraint runs with the rights of the role that inserts.
grant execute on function private.is_email_address(text) to anon, service_role;

-- The secret key uses the list only through functions. Deleting a member from the table would leave the outbox row behind,
-- and the member would get no welcome after coming back.
do $$
declare
  procedure regprocedure;
begin
  for procedure in
    select proc.oid::regprocedure from pg_proc as proc
    where proc.pronamespace = 'public'::regnamespace and proc.proowner = current_user::regrole
      -- Extensions keep their own grants.
      and not exists (select from pg_depend as part where part.objid = proc.oid and part.deptype = 'e')
  loop
    execute format('revoke all on function %s from public, anon, authenticated', procedure);
    execute format('grant execute on function %s to service_role', procedure);
  end loop;
end;
$$;
