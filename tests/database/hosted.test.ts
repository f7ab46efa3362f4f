import { loadModule, parsePlPgSQLSync, parseSync } from '@libpg-query/parser';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { applyRoutines, refuseEditedMigrations, useDatabase } from '../../ops/database.ts';
import { quietSupabase, runProgram, supabaseCommand } from '../../ops/stack/process.ts';
import { databaseUrl } from './database.ts';

const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} });
const newer = postgres(inject('newerDatabaseUrl'), { max: 1, onnotice: () => {} });
const dataApi = postgres(databaseUrl, { user: 'authenticator', max: 1, onnotice: () => {} });
beforeAll(() => loadModule());
afterAll(() => Promise.all([sql.end(), newer.end(), dataApi.end()]));

type Node = Record<string, unknown>;

/** Every node of a syntax tree that has the key `kind`. */
function find(tree: unknown, kind: string): Node[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const here = kind in tree ? [(tree as Node)[kind] as Node] : [];
  return [...here, ...Object.values(tree).flatMap((child) => find(child, kind))];
}

/** The syntax trees of all statements in the body of a function. */
function parseBody(definition: string, language: string, body: string): unknown[] {
  if (language === 'sql') return [parseSync(body || definition)];
  const statements = find(parsePlPgSQLSync(definition), 'PLpgSQL_expr').filter(
    // Other modes are expressions, which cannot change rows.
    ({ parseMode = 0 }) => parseMode === 0,
  );
  return statements.map(({ query }) => parseSync(String(query)));
}

/** The statements that a function on a hosted project must not contain. */
const findUnsafe = (trees: unknown[]) => [
  // safeupdate, loaded into every session of the data API, refuses both (https://github.com/eradman/pg-safeupdate).
  ...['UpdateStmt', 'DeleteStmt'].flatMap((kind) =>
    find(trees, kind).filter((statement) => !('whereClause' in statement)),
  ),
  // supautils writes into the statement, which PL/pgSQL keeps: a second call on the same connection would crash the server.
  ...find(trees, 'CreateExtensionStmt'),
];

describe('on a hosted project', () => {
  it('no function updates or deletes without WHERE, or contains a CREATE EXTENSION that PL/pgSQL would keep', async () => {
    const functions = await sql<{ name: string; definition: string; language: string; body: string }[]>`
      select proc.oid::regprocedure::text as name, pg_get_functiondef(proc.oid) as definition, lanname as language, prosrc as body
      from pg_proc as proc join pg_language as language on language.oid = proc.prolang
      where proc.pronamespace::regnamespace::text in ('public', 'private')`;
    expect(functions.length).toBeGreaterThan(20);
    const unsafe = functions.filter(
      ({ definition, language, body }) => findUnsafe(parseBody(definition, language, body)).length > 0,
    );
    expect(unsafe.map(({ name }) => name)).toEqual([]);
    for (const bad of [
      'return query with gone as (delete from private.calls returning 1) select 1 from gone',
      'create extension if not exists pg_cron',
    ]) {
      const definition = `create function f() returns setof int language plpgsql as $$ begin ${bad}; end $$`;
      expect(findUnsafe(parseBody(definition, 'plpgsql', bad))).toHaveLength(1);
    }
  });

  it('Supabase’s own advisors find nothing wrong, such as a function that uses the search path of its caller', async () => {
    const args = ['db', 'advisors', '--db-url', `${databaseUrl}?sslmode=disable`, '--fail-on', 'warn'];
    const { status, output } = await runProgram([supabaseCommand, ...args], {
      ...process.env,
      ...quietSupabase,
    });
    expect(status, output).toBe(0);
  }, 120_000);

  it('a later migration grants a new table to nobody, and a new function to the secret key only', async () => {
    for (const database of [sql, newer]) {
      const migration = await database.reserve();
      await migration`begin`;
      await migration`create table public.later (id int)`;
      await migration`create function public.later() returns int language sql return 1`;
      await migration`create function private.later() returns int language sql return 1`;
      const [may] = await migration`
        select
          array_agg(rolname::text) filter (where has_table_privilege(oid, 'public.later', 'select, insert, update, delete')) as "table",
          array_agg(rolname::text) filter (where has_function_privilege(oid, 'public.later()', 'execute')) as function,
          array_agg(rolname::text) filter (where has_function_privilege(oid, 'private.later()', 'execute')) as private
        from pg_roles where rolname in ('anon', 'authenticated', 'service_role')`;
      await migration`rollback`;
      migration.release();
      expect(may).toEqual({ table: null, function: ['service_role'], private: null });
    }
  });

  it('routines are applied again without changing anything, and one that was edited replaces the old one', async () => {
    const read = (database: postgres.Sql) => database`
      select pg_get_functiondef(oid) as definition, proacl::text from pg_proc
        where pronamespace::regnamespace::text in ('public', 'private')
      union all
      select pg_get_viewdef(oid), relacl::text from pg_class
        where relnamespace::regnamespace::text = 'private' and relkind = 'v'
      union all
      select pg_get_triggerdef(oid), '' from pg_trigger where not tgisinternal order by definition`;
    const before = await read(newer);
    await newer`create or replace function private.limit_of(limit_name text) returns int language sql as 'select 7'`;
    expect(await read(newer)).not.toEqual(before);
    await applyRoutines(newer);
    expect(await read(newer)).toEqual(before);
  });

  it('a migration that was edited after it was applied is refused by its name, but not for a comment', async () => {
    await refuseEditedMigrations(newer);
    const change = (name: string, end: string) => newer`
      update supabase_migrations.schema_migrations set statements = statements || ${end}::text where name = ${name}`;
    await change('waitlist', '-- a comment');
    await refuseEditedMigrations(newer);
    await change('outbox', 'drop table later');
    await expect(refuseEditedMigrations(newer)).rejects.toThrow(/\d+_outbox\.sql was edited/);
  });

  it('the grants are the same whether the default privileges grant everything or nothing', async () => {
    const readGrants = (database: postgres.Sql) => database`
      select oid::regclass::text as name, array(select unnest(relacl)::text order by 1) as grants
        from pg_class where relnamespace::regnamespace::text in ('public', 'private') and relkind in ('r', 'v', 'S')
      union all
      select attrelid::regclass || '.' || attname, array(select unnest(attacl)::text order by 1)
        from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace::regnamespace::text in ('public', 'private') and attacl is not null
      union all
      select oid::regprocedure::text, array(select unnest(proacl)::text order by 1)
        from pg_proc where pronamespace::regnamespace::text in ('public', 'private')
      order by name`;
    expect(await readGrants(newer)).toEqual(await readGrants(sql));
  });

  it('the data API may do nothing as itself, only call functions with the secret key, and stops slow statements, except the owner’s', async () => {
    const [timeouts] = await dataApi`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
    expect(timeouts).toEqual({ statement: '8s', lock: '8s' });
    const SUPABASE_DB_URL = `${databaseUrl}?sslmode=disable&statement_timeout=2min`;
    const owner = { SUPABASE_DB_URL, SUPABASE_DB_PASSWORD: 'postgres' };
    const [own] = await useDatabase(owner, (database) => database`show statement_timeout`);
    expect(own).toEqual({ statement_timeout: '0' });
    const request = (role: string, statement: string) =>
      dataApi.begin(async (transaction) => {
        await transaction.unsafe(`set local role ${role}`);
        await transaction.unsafe(statement);
      });
    await request('service_role', 'select list_members()');
    for (const [role, statement] of [
      ['authenticator', 'select list_members()'],
      ['service_role', 'select from waitlist_emails'],
      ['service_role', 'delete from waitlist_emails'],
    ] as const)
      await expect(request(role, statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('a clock calls the function every minute with the public key, and prunes its log', async () => {
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
      await transaction`select private.schedule_delivery('https://abc.supabase.co/f', 'it''s a key')`;
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
});
