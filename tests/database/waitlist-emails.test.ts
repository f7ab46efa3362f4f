import fc from 'fast-check';
import postgres from 'postgres';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { waitUntil } from '../../local/process.ts';
import { holdOpen, isSomebodyWaiting } from './hold-open.ts';
import { parseEmailAddress } from '../../functions/email-address.ts';

const sql = postgres(inject('databaseUrl'), { max: 12, onnotice: () => {} });

/** Runs statements with the rights of the public key. */
function asVisitor<T>(work: (sql: postgres.TransactionSql) => Promise<T>) {
  return sql.begin(async (transaction) => {
    await transaction`set local role anon`;
    return work(transaction);
  });
}

function insert(email: string, more: Record<string, unknown> = {}) {
  const row = { email, created_at: new Date().toISOString(), source: 'landing_page', ...more };
  return asVisitor((visitor) => visitor`insert into waitlist_emails ${visitor([row])}`);
}

const list = () => sql`select email, created_at, source from waitlist_emails order by email`;

const accepted = ['name@example.com', 'a@example.com'];

/** The function accepted two addresses, whose entries are still to come from the browser. */
beforeEach(async () => {
  await sql`delete from private.outbox`;
  await sql`delete from waitlist_emails`;
  await sql`insert into private.outbox ${sql(accepted.map((address) => ({ address, message: '{}' })))}`;
});
afterAll(() => sql.end());

describe('a visitor', () => {
  it('joins', async () => {
    const { count } = await insert('name@example.com');
    expect(count).toBe(1);
    expect(await list()).toEqual([
      { email: 'name@example.com', created_at: expect.any(Date), source: 'landing_page' },
    ]);
  });

  it('is one member in any letter case and with spaces around, and never sees a difference', async () => {
    for (const typed of ['name@example.com', ' NAME@Example.com ', '\tname@example.COM\n']) {
      expect((await insert(typed)).count).toBe(1);
    }
    expect(await list()).toHaveLength(1);
  });

  it('is one member when 40 inserts come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => insert('name@example.com')));
    expect(answers.map(({ count }) => count)).toEqual(Array(40).fill(1));
    expect(await list()).toHaveLength(1);
  });

  it('sees no difference between a new and a known address when conflicts are to be ignored', async () => {
    for (const expected of [1, 1]) {
      const { count } = await asVisitor(
        (visitor) =>
          visitor`insert into waitlist_emails (email, source) values ('a@example.com', 'landing_page') on conflict do nothing`,
      );
      expect(count).toBe(expected);
    }
    expect(await list()).toHaveLength(1);
  });

  it('waits for another insert of its address, and is answered like it', async () => {
    const first = await holdOpen(
      sql,
      (transaction) =>
        transaction`insert into waitlist_emails (email, source) values ('name@example.com', 'landing_page')`,
    );
    const second = insert('name@example.com');
    const isWaiting = await waitUntil(() => isSomebodyWaiting(sql), 2_000);
    await first.commit();
    expect(isWaiting).toBe(true);
    expect((await second).count).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  it('is one member when one insert names it twice', async () => {
    const row = { email: 'name@example.com', created_at: new Date().toISOString(), source: 'landing_page' };
    const { count } = await asVisitor(
      (visitor) => visitor`insert into waitlist_emails ${visitor([row, row])}`,
    );
    expect(count).toBe(2);
    expect(await list()).toHaveLength(1);
  });

  it('is nobody, and never sees that, when the function did not accept the address', async () => {
    expect((await insert('stranger@example.com')).count).toBe(1);
    expect(await list()).toEqual([]);
  });

  it('cannot choose when it joined', async () => {
    await insert('name@example.com', { created_at: '1970-01-01T00:00:00Z' });
    const [member] = await list();
    expect(Date.now() - member!['created_at'].getTime()).toBeLessThan(60_000);
  });

  it('keeps the date of the first time', async () => {
    await insert('name@example.com');
    const [first] = await list();
    await insert('name@example.com');
    expect(await list()).toEqual([first]);
  });

  it.each([
    'a@localhost',
    '',
    'a@example.com,b@example.com',
    'x'.repeat(1_000_000),
    `a@${'b'.repeat(300)}.com`,
  ])('is refused with something that is no address', async (email) => {
    await expect(insert(email)).rejects.toMatchObject({ code: '22023' });
    expect(await list()).toHaveLength(0);
  });

  it.each([
    ['another source', 'somewhere'],
    ['no source', null],
  ])('is refused with %s', async (_, source) => {
    await expect(insert('name@example.com', { source })).rejects.toMatchObject({ code: '22023' });
  });

  it('is refused without an address', async () => {
    await expect(
      asVisitor((visitor) => visitor`insert into waitlist_emails (source) values ('landing_page')`),
    ).rejects.toMatchObject({ code: '22023' });
  });

  it.each([
    'select email from waitlist_emails',
    'select count(*) from waitlist_emails',
    "update waitlist_emails set source = 'x'",
    'delete from waitlist_emails',
    'truncate waitlist_emails',
    'drop table waitlist_emails',
    'alter table waitlist_emails disable row level security',
    "insert into waitlist_emails (email, source, surplus) values ('a@example.com', 'landing_page', true)",
    "insert into waitlist_emails (email, source) values ('a@example.com', 'landing_page') returning email",
    "insert into waitlist_emails (email, source) values ('a@example.com', 'landing_page') on conflict (email) where not surplus do nothing",
    'copy waitlist_emails to stdout',
    'create table public.mine (a int)',
    'select * from supabase_migrations.schema_migrations',
    "select private.normalize_email_address('a')",
    'select * from private.outbox',
    'delete from private.outbox',
    "insert into private.outbox (address, message) values ('b@example.com', '{}')",
    'select * from private.calls',
    'update private.limits set value = 1000000',
    'update private.pace set next_delivery_at = now()',
    "select accept_sign_up('b@example.com', '{}', 'c', 'a', 'm')",
    'select lease_welcome()',
    "select record_delivery(gen_random_uuid(), gen_random_uuid(), 'sent', '', '', 0)",
    "select leave_waitlist('name@example.com')",
    'select list_members()',
    'select count_members()',
    'select count_members_by_day()',
    "select remove_member('name@example.com')",
    'select list_outbox()',
    "select find_welcome('name@example.com')",
    'select count_unknown()',
    'select retry_outbox()',
    'select list_limits()',
    "select set_limit('addresses', 1000000)",
    'set local role postgres; reset role; select 1; set role service_role',
  ])('may not: %s', async (statement) => {
    await insert('name@example.com');
    // A fresh login that is nothing but the public role, so that no statement can step back to a greater one.
    await sql.unsafe(
      `drop role if exists stranger; create role stranger login password 'stranger' in role anon;`,
    );
    const url = new URL(inject('databaseUrl'));
    url.username = url.password = 'stranger';
    const stranger = postgres(url.href, {
      max: 1,
      onnotice: () => {},
      connection: { application_name: 'stranger' },
    });
    try {
      await stranger`set role anon`;
      await expect(stranger.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await stranger.end();
      await sql.unsafe('drop role stranger');
    }
    expect(await list()).toHaveLength(1);
  });
});

describe('the public roles', () => {
  it('reach one table of everything there is, and only to insert three columns', async () => {
    const tables = await sql`
      select class.oid::regclass::text as name, role.rolname as role, privilege
      from pg_class as class, pg_roles as role,
        unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
      where class.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')
        and class.relkind in ('r', 'v', 'm', 'p', 'f')
        and role.rolname in ('anon', 'authenticated')
        and has_table_privilege(role.oid, class.oid, privilege)`;
    expect(tables).toEqual([]);
    const columns = await sql`
      select attrelid::regclass::text as name, attname as column, role.rolname as role, privilege
      from pg_attribute, pg_class as class, pg_roles as role, unnest(array['select', 'insert', 'update']) as privilege
      where class.oid = attrelid and attnum > 0 and not attisdropped
        and class.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')
        and role.rolname in ('anon', 'authenticated')
        and has_column_privilege(role.oid, class.oid, attnum, privilege)
      order by attname`;
    expect(
      columns.map(({ name, column, role, privilege }) => `${role} ${privilege} ${name}.${column}`),
    ).toEqual([
      'anon insert waitlist_emails.created_at',
      'anon insert waitlist_emails.email',
      'anon insert waitlist_emails.source',
    ]);
  });

  it('may call one function, and not through the data API', async () => {
    const functions = await sql`
      select proc.oid::regprocedure::text as name, role.rolname as role, proc.pronamespace::regnamespace::text as schema
      from pg_proc as proc, pg_roles as role
      where proc.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
        and role.rolname in ('anon', 'authenticated')
        and has_function_privilege(role.oid, proc.oid, 'execute')`;
    expect(functions).toEqual([{ name: 'private.is_email_address(text)', role: 'anon', schema: 'private' }]);
    const [schema] = await sql`select has_schema_privilege('anon', 'private', 'usage') as usable`;
    expect(schema?.['usable']).toBe(false);
  });

  it('meet row security on every table that is served', async () => {
    const unprotected = await sql`
      select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`;
    expect(unprotected).toEqual([]);
  });
});

describe('the address rule', () => {
  const typed = fc.oneof(
    fc.emailAddress(),
    fc.string(),
    fc
      .tuple(fc.string({ unit: 'grapheme-ascii' }), fc.domain())
      .map(([local, domain]) => `${local}@${domain}`),
    fc.constantFrom(
      'a@localhost',
      'a@b.c',
      'A@B.CO',
      ' a@b.co\n',
      '\u212A@b.co',
      `${'a'.repeat(64)}@b.co`,
      `${'a'.repeat(65)}@b.co`,
    ),
  );

  it('is the same in the database and in the function', async () => {
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        // PostgreSQL cannot hold the character zero at all.
        fc.pre(!text.includes('\0'));
        const [row] = await sql`
          with address as (select private.normalize_email_address(${text}) as value)
          select case when private.is_email_address(value) then value end as address from address`;
        expect(row?.['address'] ?? undefined).toBe(parseEmailAddress(text));
      }),
      { numRuns: 400 },
    );
  });
});

describe('the owner', () => {
  /** Runs a statement with the rights of the secret key. */
  const asOwner = (statement: string) =>
    sql.begin(async (owner) => {
      await owner`set local role service_role`;
      return owner.unsafe(statement);
    });

  it('reads and removes members with the secret key, their welcome included', async () => {
    await insert('name@example.com');
    expect(await asOwner('select email from list_members()')).toEqual([{ email: 'name@example.com' }]);
    await asOwner(`select remove_member('name@example.com')`);
    expect(await list()).toEqual([]);
    expect(await sql`select from private.outbox where address = 'name@example.com'`).toEqual([]);
  });

  it.each([
    'select email from waitlist_emails',
    'delete from waitlist_emails',
    "update waitlist_emails set source = 'x'",
    "insert into waitlist_emails (email, source) values ('a@example.com', 'landing_page')",
    'truncate waitlist_emails',
  ])('may not pass the functions by: %s', async (statement) => {
    await insert('name@example.com');
    await expect(asOwner(statement)).rejects.toMatchObject({ code: '42501' });
    expect(await list()).toHaveLength(1);
  });
});
