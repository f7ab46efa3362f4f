import { describe, expect, it } from 'vitest';
import { readDatabaseUrl } from '../../deploy/database-url.ts';
import { findFault, findObstacles } from '../../deploy/obstacles.ts';
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

  it('is refused when no program could read it', () => {
    expect(findFault('SUPABASE_DB_URL', 'postgresql://postgres.abc@host:99999/postgres')).toBeTruthy();
  });
});

describe('the header that tells who calls', () => {
  it('is refused when no header can have that name', () => {
    expect(findFault('CALLER_HEADER', 'X-Real-IP')).toBeUndefined();
    expect(findFault('CALLER_HEADER', 'X-Real-IP:')).toMatch(/^CALLER_HEADER is malformed/);
  });
});

describe('the address of the site', () => {
  it.each([
    'http://localhost:1',
    'https://localhost',
    'https://127.0.0.1',
    'https://[::1]',
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
