import { describe, expect, it } from 'vitest';
import { checkDatabaseUrl, readDatabaseUrl } from '../../deploy/database-url.ts';
import { findFault, findObstacles } from '../../deploy/obstacles.ts';
import { describeVariable, type VariableName, variableNames } from '../../deploy/variables.ts';
import { completeValues } from './project.ts';

const databaseUrl = (password: string) =>
  `postgresql://postgres.abc${password}@pooler.stash.test:5432/postgres`;

describe('a connection string', () => {
  it.each(['', ':', ':[YOUR-PASSWORD]', ':p%23secret', ':p!$&secret'])(
    'with %j after the user is taken, and loses its password',
    (password) => {
      expect(findFault('SUPABASE_DB_URL', databaseUrl(password))).toBeUndefined();
      expect(readDatabaseUrl(databaseUrl(password))).toBe(`${databaseUrl('')}?sslmode=require`);
    },
  );

  it.each([':p#secret', ':p/secret', ':p?secret', ':p@secret', ':1/secret', '#secret'])(
    'with %j after the user is refused, with what to do and without the password',
    (password) => {
      const fault = findFault('SUPABASE_DB_URL', databaseUrl(password));
      expect(fault).toMatch(/^SUPABASE_DB_URL is malformed: .*percent-encode/);
      expect(fault).not.toContain('secret');
    },
  );

  it.each(['#', '/', '?', '@', ':'])(
    'loses a password that holds a raw %s before anybody reads it',
    (sign) => {
      expect(readDatabaseUrl(databaseUrl(`:p${sign}secret`))).toBe(`${databaseUrl('')}?sslmode=require`);
    },
  );

  it.each([
    ['postgresql://postgres.abc@aws-0.pooler.supabase.com:6543/postgres', 'transaction'],
    ['postgresql://postgres@db.abcdefghijklmnopqrst.supabase.co:5432/postgres', 'direct'],
  ])('is looked at when it is not that of the session pooler: %s', (url, word) => {
    expect(checkDatabaseUrl(url)).toMatchObject({ subject: 'SUPABASE_DB_URL', state: 'bad' });
    expect(checkDatabaseUrl(url)?.text).toContain(word);
  });

  it('of the session pooler, or of a host that is nobody’s pooler, needs no look', () => {
    expect(checkDatabaseUrl('postgresql://postgres.abc@aws-0.pooler.supabase.com:5432/a')).toBeUndefined();
    expect(checkDatabaseUrl('postgresql://postgres@127.0.0.1:9/postgres')).toBeUndefined();
  });

  it('is refused when no program could read it', () => {
    expect(findFault('SUPABASE_DB_URL', 'postgresql://postgres.abc@host:99999/postgres')).toBeTruthy();
  });
});

describe('the database of another project', () => {
  const find = (changes: Partial<Record<VariableName, string>>) =>
    findObstacles({ ...completeValues, ...changes }).filter((obstacle) => obstacle.startsWith('SUPABASE'));
  const other = 'zzzzzzzzzzzzzzzzzzzz';

  it.each([
    `postgresql://postgres.${other}:secret@pooler.supabase.test:5432/postgres`,
    `postgresql://postgres:secret@db.${other}.supabase.co:5432/postgres`,
  ])('is in the way, and named without its password: %s', (SUPABASE_DB_URL) => {
    expect(find({ SUPABASE_DB_URL })).toEqual([
      `SUPABASE_DB_URL leads to the project ${other}, and the other values to abcdefghijklmnopqrst: copy all of them from one project.`,
    ]);
  });

  it('is known by the reference too, where the project has an address of its own', () => {
    const PUBLIC_SUPABASE_URL = 'https://data.stash.test';
    expect(find({ PUBLIC_SUPABASE_URL, SUPABASE_PROJECT_REF: 'abcdefghijklmnopqrst' })).toEqual([]);
    expect(find({ PUBLIC_SUPABASE_URL, SUPABASE_PROJECT_REF: other })).toEqual([
      expect.stringMatching(`^SUPABASE_DB_URL leads to the project abcdefghijklmnopqrst, .* ${other}:`),
    ]);
  });

  it('is known as well when it is the reference that is another than the address', () => {
    expect(find({ SUPABASE_PROJECT_REF: other })).toContain(
      `SUPABASE_PROJECT_REF is ${other}, and the address of the project says abcdefghijklmnopqrst: leave it out.`,
    );
  });

  it('is no question where the connection string does not name a project', () => {
    expect(find({ SUPABASE_DB_URL: 'postgresql://postgres@database.stash.test:5432/postgres' })).toEqual([]);
  });
});

describe('the header that tells who calls', () => {
  it('is refused when no header can have that name', () => {
    expect(findFault('CALLER_HEADER', 'X-Real-IP')).toBeUndefined();
    expect(findFault('CALLER_HEADER', 'X-Real-IP:')).toMatch(/^CALLER_HEADER is malformed/);
  });
});

describe('the address of the project', () => {
  const ref = 'abcdefghijklmnopqrst';

  it.each([
    `https://supabase.com/dashboard/project/${ref}`,
    `https://supabase.com/dashboard/project/${ref}/settings/api`,
    `https://app.supabase.com/project/${ref}`,
  ])('is worked out from that of its dashboard, which is refused: %s', (url) => {
    expect(findFault('PUBLIC_SUPABASE_URL', url)).toBe(
      `PUBLIC_SUPABASE_URL is malformed: set it to https://${ref}.supabase.co, since this is the address of the dashboard.`,
    );
  });

  it.each(['https://supabase.com', 'https://supabase.com/dashboard/projects'])(
    'is never that of Supabase itself: %s',
    (url) => {
      expect(findFault('PUBLIC_SUPABASE_URL', url)).toContain('https://<reference>.supabase.co');
    },
  );

  it.each([`https://${ref}.supabase.co/rest/v1`, `https://${ref}.supabase.co/?a=b`, 'https://project'])(
    'has no path, and a domain: %s',
    (url) => {
      expect(findFault('PUBLIC_SUPABASE_URL', url)).toMatch(/^PUBLIC_SUPABASE_URL is malformed: set it to/);
    },
  );

  it.each([`https://${ref}.supabase.co`, `https://${ref}.supabase.co/`, 'https://data.stash.test'])(
    'may be one of its own: %s',
    (url) => {
      expect(findFault('PUBLIC_SUPABASE_URL', url)).toBeUndefined();
    },
  );
});

describe('a value of an example', () => {
  it.each([
    ['PUBLIC_SITE_URL', 'https://dropyard.example', 'dropyard.example'],
    ['PUBLIC_SITE_URL', 'https://www.your-domain.com', 'www.your-domain.com'],
    ['PUBLIC_SITE_URL', 'https://example.com', 'example.com'],
    ['PUBLIC_SITE_URL', 'https://name.account.workers.dev', 'name.account.workers.dev'],
    ['SITE_URL', 'https://stash.test, https://dropyard.example', 'dropyard.example'],
    ['PUBLIC_SUPABASE_URL', 'https://your-project.supabase.co', 'your-project.supabase.co'],
    ['PUBLIC_EMAIL_SENDER', 'hello@dropyard.example', 'dropyard.example'],
    ['PUBLIC_EMAIL_SENDER', 'Name <hello@dropyard.example>', 'dropyard.example'],
    ['PUBLIC_SUPPORT_EMAIL', 'help@dropyard.example', 'dropyard.example'],
    ['PUBLIC_UNSUBSCRIBE_ADDRESS', 'leave@your-domain.com', 'your-domain.com'],
  ] as const)('is in the way, and named: %s=%s', (name, value, host) => {
    const fault = `${name} (${host}) is a placeholder: replace it by your own.`;
    expect(findFault(name, value)).toBe(fault);
    expect(findObstacles({ ...completeValues, [name]: value })).toContain(fault);
  });

  it.each([
    ['PUBLIC_SITE_URL', 'https://your-domains.test'],
    ['PUBLIC_SITE_URL', 'https://waitlist.me.workers.dev'],
    ['PUBLIC_SUPPORT_EMAIL', 'example@stash.test'],
    ['TOKEN_SECRET', 'a-secret@that.looks.like.one.example'],
  ] as const)('is not seen in what only looks like one: %s=%s', (name, value) => {
    expect(findFault(name, value)).toBeUndefined();
  });

  it('is never proposed by set-up without being called one', () => {
    const texts = variableNames.flatMap((name) => [
      describeVariable(name).source,
      findFault(name, '?') ?? '',
    ]);
    expect(texts.filter((text) => /\.example\b/.test(text))).toEqual([]);
  });
});

describe('an address without https://', () => {
  it.each([
    ['PUBLIC_SITE_URL', 'stash.test'],
    ['PUBLIC_SITE_URL', 'http://stash.test'],
    ['PUBLIC_SUPABASE_URL', 'abcdefghijklmnopqrst.supabase.co'],
    ['PUBLIC_EMAIL_FUNCTION_URL', 'http://mail.stash.test'],
  ] as const)('is told how it begins: %s %s', (name, value) => {
    expect(findFault(name, value)).toMatch(
      new RegExp(`^${name} is malformed: begin with https://, and set it to the address of`),
    );
  });
});

describe('the address of the site', () => {
  it.each([
    'http://localhost:1',
    'https://localhost',
    'https://127.0.0.1',
    'https://[::1]',
    'https://stash',
    'http://stash.test',
  ])('is refused for a deployment when visitors could not go there: %s', (url) => {
    expect(findFault('PUBLIC_SITE_URL', url)).toMatch(/^PUBLIC_SITE_URL is malformed/);
  });

  it('has to be among those that may call the functions', () => {
    const find = (SITE_URL: string) =>
      findObstacles({ ...completeValues, SITE_URL }).filter((obstacle) => obstacle.startsWith('SITE_URL'));
    expect(find('https://old.test')).toEqual([expect.stringContaining('PUBLIC_SITE_URL')]);
    expect(find('https://old.test, https://stash.test/')).toEqual([]);
    expect(find('old.test')).toEqual([expect.stringMatching(/^SITE_URL is malformed/)]);
  });
});
