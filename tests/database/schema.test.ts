import postgres from 'postgres';
import { afterAll, expect, it } from 'vitest';
import { databaseUrl } from './database.ts';

const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
afterAll(() => sql.end());

const head = `-- The current definition of everything in the database, for reading and for reviews.
-- Generated from the migrated database by tests/database/schema.test.ts. Change the migrations instead, then run:
--   npx vitest run --config tests/vitest.config.ts tests/database/schema.test.ts -u`;

/** Queries that return one statement per row in the column `statement`, without grants that an owner has anyway. */
const parts: [heading: string, query: string][] = [
  [
    'Types',
    `select format('create type %s as enum (%s);', type.oid::regtype,
        (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = type.oid)) as statement
      from pg_type as type where typtype = 'e' and typnamespace::regnamespace::text in ('public', 'private') order by 1`,
  ],
  [
    'Tables',
    `select format(E'create table %s (\\n%s\\n);', class.oid::regclass, string_agg(line, E',\\n' order by place, line)) ||
        case when relrowsecurity then format(E'\\nalter table %s enable row level security;', class.oid::regclass) else '' end ||
        case when relreplident = 'f' then format(E'\\nalter table %s replica identity full;', class.oid::regclass) else '' end as statement
      from pg_class as class, lateral (
        select attnum as place, format('  %I %s', attname, format_type(atttypid, atttypmod)) ||
            case when attnotnull then ' not null' else '' end ||
            coalesce(' default ' || pg_get_expr(adbin, adrelid), '') as line
          from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
          where attrelid = class.oid and attnum > 0 and not attisdropped
        union all
        select 1000, format('  constraint %I %s', conname, pg_get_constraintdef(oid))
          from pg_constraint where conrelid = class.oid and contype <> 'n'
      ) as lines
      where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'private')
      group by class.oid, relrowsecurity, relreplident order by class.oid::regclass::text`,
  ],
  [
    'Views',
    `select format(E'create view %s as\\n%s', oid::regclass, pg_get_viewdef(oid)) as statement from pg_class
      where relkind = 'v' and relnamespace::regnamespace::text in ('public', 'private') order by 1`,
  ],
  [
    'Indexes, except those of constraints',
    `select pg_get_indexdef(indexrelid) || ';' as statement from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace::regnamespace::text in ('public', 'private')
        and not exists (select from pg_constraint where conindid = indexrelid) order by 1`,
  ],
  [
    'Functions',
    `select pg_get_functiondef(oid) || ';' as statement from pg_proc
      where pronamespace::regnamespace::text in ('public', 'private') order by oid::regprocedure::text`,
  ],
  [
    'Triggers',
    `select pg_get_triggerdef(oid) || ';' as statement from pg_trigger where not tgisinternal order by 1`,
  ],
  [
    'Policies',
    `select format('create policy %I on %s.%s for %s to %s', policyname, schemaname, tablename, lower(cmd), array_to_string(roles, ', ')) ||
        coalesce(' using (' || qual || ')', '') || coalesce(' with check (' || with_check || ')', '') || ';' as statement
      from pg_policies order by 1`,
  ],
  [
    'Grants to the roles of the data API',
    `select format('grant %s on %s to %s;', string_agg(distinct privilege, ', '), object, grantee) as statement
      from (
        select lower(privilege_type) as privilege, oid::regclass::text as object, grantee::regrole::text
          from pg_class, aclexplode(relacl)
          where relnamespace::regnamespace::text in ('public', 'private') and grantee <> relowner
        union all
        select format('%s (%s)', lower(privilege_type), string_agg(attname, ', ')), attrelid::regclass::text, grantee::regrole::text
          from pg_attribute join pg_class on pg_class.oid = attrelid, aclexplode(attacl)
          where relnamespace::regnamespace::text in ('public', 'private') group by privilege_type, attrelid, grantee
        union all
        select lower(privilege_type), 'function ' || oid::regprocedure, case grantee when 0 then 'public' else grantee::regrole::text end
          from pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner)))
          where pronamespace::regnamespace::text in ('public', 'private') and grantee <> proowner
      ) as granted (privilege, object, grantee)
      group by object, grantee order by grantee, object`,
  ],
];

it('supabase/schema.sql shows the migrated database (renew it with the command at its top)', async () => {
  const texts = [head];
  for (const [heading, query] of parts) {
    const rows = await sql.unsafe(query);
    texts.push(`-- ${heading}`, ...rows.map(({ statement }) => String(statement).trim()));
  }
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('../../supabase/schema.sql');
});
