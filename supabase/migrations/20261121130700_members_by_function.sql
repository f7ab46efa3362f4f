-- The secret key reaches the list through functions alone: a member who is deleted from the table would leave the outbox
-- row behind, and would get no welcome when they come back.

revoke select (email, created_at, source), delete on public.waitlist_emails from service_role;
