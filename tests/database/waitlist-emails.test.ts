import fc from 'fast-check';
import type postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { parseEmailAddress } from '../../shared/email-address.ts';
import { accept, holdOpen, sql } from './sign-ups.ts';

/** Runs statements with the rights of the public key. */
function asVisitor<T>(work: (sql: postgres.TransactionSql) => Promise<T>) {
  return sql.begin(async (transaction) => {
    await transaction`set local role anon`;
    return work(transaction);
  });
}

describe('an insert by the page', () => {
  it('waits for nobody, and nobody waits for it', async () => {
    const open = await holdOpen((transaction) => accept('a@example.com', {}, transaction));
    const visitor = await holdOpen(async (transaction) => {
      await transaction`set local role anon`;
      await transaction`insert into waitlist_emails (email, source) values ('a@example.com', 'landing_page')`;
      await transaction`set local role postgres`;
      // Only the lock on the table that every insert takes: it reads no table, and writes nothing.
      const locks = await transaction`
        select locktype, relname, mode from pg_locks left join pg_class on oid = relation
        where pid = pg_backend_pid() and locktype <> 'virtualxid'
          and (relation is null or relkind = 'r' and relnamespace::regnamespace::text in ('public', 'private'))`;
      expect(locks).toEqual([{ locktype: 'relation', relname: 'waitlist_emails', mode: 'RowExclusiveLock' }]);
    });
    await open.commit();
    expect(await accept('a@example.com')).toBe('accepted');
    await visitor.commit();
    expect(await sql`select from waitlist_emails`).toHaveLength(1);
  });

  it('is refused if it has a second row, before it reads a third', async () => {
    const many = asVisitor(
      (visitor) => visitor`
        insert into waitlist_emails (email, source)
        select 'name' || number || '@example.com', 'landing_page' from generate_series(1, 20000) as number
        -- The third row is a division by zero.
        where number <> 3 or 1 / (number - 3) > 0`,
    );
    await expect(many).rejects.toMatchObject({ code: '22023', message: 'one row at a time' });
  });

  it.each([
    { email: 'a@example.com,b@example.com', source: 'landing_page' },
    { email: 'x'.repeat(1_000_000), source: 'landing_page' },
    { email: 'name@example.com', source: 'somewhere' },
    { email: 'name@example.com' },
    { source: 'landing_page' },
  ])('is refused without one address, and with another source', async (row) => {
    const inserting = asVisitor((visitor) => visitor`insert into waitlist_emails ${visitor([row])}`);
    await expect(inserting).rejects.toMatchObject({ code: '22023' });
  });
});

describe('the public roles', () => {
  it('may use only one table, and only insert three columns there', async () => {
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

  it('may call no function of ours', async () => {
    const functions = await sql`
      select proc.oid::regprocedure::text as name, role.rolname as role, proc.pronamespace::regnamespace::text as schema
      from pg_proc as proc, pg_roles as role
      where proc.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'extensions')
        and role.rolname in ('anon', 'authenticated')
        and has_function_privilege(role.oid, proc.oid, 'execute')`;
    expect(functions).toEqual([]);
    const [schema] = await sql`select has_schema_privilege('anon', 'private', 'usage') as usable`;
    expect(schema?.['usable']).toBe(false);
  });

  it('are subject to row security on every table that the data API serves', async () => {
    const unprotected = await sql`
      select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`;
    expect(unprotected).toEqual([]);
  });
});

const typed = fc.oneof(
  fc.emailAddress(),
  fc.string(),
  fc.tuple(fc.string({ unit: 'grapheme-ascii' }), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
  fc.constantFrom(
    'a@localhost',
    'a@b.c',
    'A@B.CO',
    ' a@b.co\n',
    '\u212A@b.co',
    'a\u212A@b.co',
    `${'a'.repeat(64)}@b.co`,
    `${'a'.repeat(65)}@b.co`,
  ),
);

it('the rule for email addresses is the same in the database and in the function', async () => {
  await fc.assert(
    fc.asyncProperty(typed, async (text) => {
      // PostgreSQL cannot store the character U+0000.
      fc.pre(!text.includes('\0'));
      const [row] = await sql`
        with normal as (select private.normalize_email_address(${text}) as email)
        select case when private.is_email_address(email) then email end as email from normal`;
      expect(row?.['email'] ?? undefined).toBe(parseEmailAddress(text));
    }),
    { numRuns: 400 },
  );
});
