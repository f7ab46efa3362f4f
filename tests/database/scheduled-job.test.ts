import { describe, expect, it } from 'vitest';
import { sql } from './sign-ups.ts';

describe('the scheduled job', () => {
  it('calls the function every minute with the public key, and prunes its log', async () => {
    const undone = new Error('undone');
    const scheduled = sql.begin(async (transaction) => {
      // The parts of pg_cron and pg_net that are used.
      await transaction.unsafe(`
        create schema cron;
        create table cron.job (name text, schedule text, command text);
        create function cron.schedule(text, text, text) returns void language sql as
          'insert into cron.job values ($1, $2, $3)';
        create table cron.job_run_details (end_time timestamptz);
        insert into cron.job_run_details values (now() - interval '8 days'), (now() - interval '6 days');
        create schema net;
        create table net.calls (url text, headers jsonb, body jsonb);
        create function net.http_post(url text, headers jsonb, body jsonb) returns void language sql as
          'insert into net.calls values ($1, $2, $3)'`);
      expect(
        await transaction`select private.schedule_delivery('https://abc.supabase.co/f', 'it''s a key') as scheduled`,
      ).toEqual([{ scheduled: true }]);
      const jobs = await transaction`select schedule, command from cron.job order by name`;
      expect(jobs.map(({ schedule }) => schedule)).toEqual(['* * * * *', '23 4 * * *']);
      for (const { command } of jobs) await transaction.unsafe(command);
      expect(await transaction`select * from net.calls`).toEqual([
        {
          url: 'https://abc.supabase.co/f/deliver',
          headers: { apikey: "it's a key", 'Content-Type': 'application/json' },
          body: {},
        },
      ]);
      expect(await transaction`select from cron.job_run_details`).toHaveLength(1);
      throw undone;
    });
    await expect(scheduled).rejects.toBe(undone);
  });

  it('says what to do when the database has no scheduler', async () => {
    expect(
      await sql`select private.schedule_delivery('https://abc.supabase.co/f', 'key') as scheduled`,
    ).toEqual([{ scheduled: false }]);
  });
});
