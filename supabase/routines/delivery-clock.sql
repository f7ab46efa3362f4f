-- Makes the database of a hosted project call the function every minute, so that no welcome waits for the next visitor.
create or replace function private.schedule_delivery(function_url text, public_key text) returns void
language plpgsql set search_path = '' as $$
begin
  -- Hosted projects load supautils, which writes into this statement. One that PL/pgSQL cached would crash the second call.
  if to_regnamespace('cron') is null then execute 'create extension pg_cron'; end if;
  -- Not in "public", which the data API serves.
  if to_regnamespace('net') is null then execute 'create extension pg_net with schema extensions'; end if;
  perform cron.schedule('deliver-welcomes', '* * * * *', format(
    'select net.http_post(url := %L, headers := %L::jsonb, body := %L::jsonb)', function_url || '/deliver',
    jsonb_build_object('Content-Type', 'application/json', 'apikey', public_key), '{}'));
  -- Nothing else deletes rows from this log, and it grows by about 500,000 rows a year.
  perform cron.schedule('prune-cron-log', '23 4 * * *',
    'delete from cron.job_run_details where end_time < now() - interval ''7 days''');
end;
$$;
