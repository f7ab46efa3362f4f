import { describe, expect, it } from 'vitest';
import { findFaults, findOwnFault } from '../../deploy/faults.ts';
import { readDatabaseUrl } from '../../deploy/values.ts';
import {
  describeFault,
  listVariables,
  readVariable,
  type Values,
  type VariableName,
} from '../../ground/variables.ts';
import { placeholders } from '../../src/site.ts';
import { completeValues } from './project.ts';

const describeOwnFault = (name: VariableName, value: string) => {
  const fault = findOwnFault(name, value);
  return fault && describeFault(fault);
};
const describeFaults = (changes: Values) =>
  findFaults({ ...completeValues, ...changes })
    .filter(({ variable }) => !variable.startsWith('social.'))
    .map(describeFault);

describe('a deployment', () => {
  it.each(Object.keys(completeValues) as VariableName[])(
    'stops without %s, and says where to find it',
    (name) => {
      const { [name]: _, ...others } = completeValues as Values;
      const [fault, ...rest] = findFaults(others).filter(({ variable }) => !variable.startsWith('social.'));
      expect(fault).toMatchObject({ variable: name, kind: 'missing' });
      expect(fault?.hint).toContain(readVariable(name).source?.slice(0, 25));
      expect(rest).toEqual([]);
    },
  );

  it('has no faults with complete values', () => {
    expect(describeFaults({})).toEqual([]);
  });
});

describe('a key or an ID', () => {
  it.each([
    'PUBLIC_SUPABASE_ANON_KEY',
    'SUPABASE_SECRET_KEY',
    'SUPABASE_ACCESS_TOKEN',
    'RESEND_API_KEY',
    'CLOUDFLARE_ACCOUNT_ID',
    'CLOUDFLARE_API_TOKEN',
  ] as const)('is refused with anything around it, such as quotes or the rest of a URL: %s', (name) => {
    const value = completeValues[name];
    expect(findOwnFault(name, value)).toBeUndefined();
    for (const copied of [`https://dash.test/${value}`, `${value}/workers`, `"${value}"`])
      expect(findOwnFault(name, copied)).toMatchObject({ variable: name, kind: 'malformed' });
  });
});

it('the secret key may be a legacy one', () => {
  expect(findOwnFault('SUPABASE_SECRET_KEY', 'eyJhbGciOi.eyJyb2xl.c2ln-_')).toBeUndefined();
});

const databaseUrl = (password: string) =>
  `postgresql://postgres.abc${password}@pooler.stash.test:5432/postgres`;

describe('a connection string', () => {
  it.each(['', ':', ':[YOUR-PASSWORD]', ':p%23s', ':p!$&s', ':p#s', ':p/s', ':p?s', ':p@s', ':p:s'])(
    'is accepted with %j after the user name, and its password is removed',
    (password) => {
      expect(findOwnFault('SUPABASE_DB_URL', databaseUrl(password))).toBeUndefined();
      expect(readDatabaseUrl(databaseUrl(password))).toBe(`${databaseUrl('')}?sslmode=require`);
    },
  );

  it.each([
    'postgresql://postgres.abc:secret@aws-0.pooler.supabase.com:6543/postgres',
    'postgresql://postgres:secret@db.abcdefghijklmnopqrst.supabase.co:5432/postgres',
    'postgresql://postgres.abc:secret@host:99999/postgres',
    'https://postgres.abc:secret@host/postgres',
    'postgresql://postgres.abc#secret@host:5432/postgres',
  ])('is refused, without showing its password, unless it belongs to the session pooler: %s', (url) => {
    const fault = describeOwnFault('SUPABASE_DB_URL', url);
    expect(fault).toMatch(/^SUPABASE_DB_URL is malformed: set it to .* of the session pooler/);
    expect(fault).not.toContain('secret');
  });

  it('is refused, without showing its password, when it belongs to another project', () => {
    const url = 'postgresql://postgres.zzzzzzzzzzzzzzzzzzzz:secret@pooler.test:5432/postgres';
    expect(describeFaults({ SUPABASE_DB_URL: url })).toEqual([
      'SUPABASE_DB_URL cannot be used: it belongs to the project zzzzzzzzzzzzzzzzzzzz, but PUBLIC_SUPABASE_URL belongs to abcdefghijklmnopqrst. Copy all values from one project.',
    ]);
  });

  it('is not compared with the project when it does not contain one', () => {
    expect(
      describeFaults({ SUPABASE_DB_URL: 'postgresql://postgres@database.stash.test:5432/postgres' }),
    ).toEqual([]);
  });
});

describe('the URL of the project', () => {
  const ref = 'abcdefghijklmnopqrst';

  it.each([
    'https://supabase.com',
    `https://supabase.com/dashboard/project/${ref}`,
    `https://${ref}.supabase.co/rest/v1`,
    `https://${ref}.supabase.co/?a=b`,
    'https://project',
    'https://data.stash.test',
    'http://127.0.0.1:54321',
  ])('must be the URL of one hosted project: %s is refused', (url) => {
    expect(describeOwnFault('PUBLIC_SUPABASE_URL', url)).toMatch(
      /^PUBLIC_SUPABASE_URL is malformed: .*https:\/\/<reference>\.supabase\.co/,
    );
  });

  it.each([`https://${ref}.supabase.co`, `https://${ref}.supabase.co/`])('may end in a slash: %s', (url) => {
    expect(findOwnFault('PUBLIC_SUPABASE_URL', url)).toBeUndefined();
  });
});

describe('a placeholder', () => {
  it.each([
    ['PUBLIC_SITE_URL', 'https://dropyard.example', 'dropyard.example'],
    ['PUBLIC_SITE_URL', 'https://www.your-domain.com', 'www.your-domain.com'],
    ['PUBLIC_SITE_URL', 'https://example.com', 'example.com'],
    ['PUBLIC_SITE_URL', 'https://name.account.workers.dev', 'name.account.workers.dev'],
    ['SITE_URL', 'https://stash.test, https://dropyard.example', 'dropyard.example'],
    ['PUBLIC_SUPABASE_URL', 'https://your-project.supabase.co', 'your-project.supabase.co'],
    ['PUBLIC_EMAIL_SENDER', 'hello@dropyard.example', 'dropyard.example'],
    ['PUBLIC_EMAIL_SENDER', 'Name <hello@dropyard.example>', 'dropyard.example'],
    ['PUBLIC_SUPPORT_EMAIL', 'help@Dropyard.EXAMPLE', 'dropyard.example'],
    ['PUBLIC_UNSUBSCRIBE_ADDRESS', 'leave@your-domain.com', 'your-domain.com'],
    ['PUBLIC_SUPPORT_PHONE', placeholders.PUBLIC_SUPPORT_PHONE, placeholders.PUBLIC_SUPPORT_PHONE],
    ['SUPABASE_DB_PASSWORD', '[YOUR-PASSWORD]', '[YOUR-PASSWORD]'],
    [
      'SUPABASE_DB_URL',
      'postgresql://postgres.[YOUR-PROJECT-REF]:[YOUR-PASSWORD]@pooler.test:5432/postgres',
      '[YOUR-PROJECT-REF]',
    ],
  ] as const)('stops a deployment: %s=%s', (name, value, sample) => {
    const fault = `${name} is a placeholder: replace ${sample} with your own.`;
    expect(describeOwnFault(name, value)).toBe(fault);
    expect(describeFaults({ [name]: value })).toContain(fault);
  });

  it.each([
    ['PUBLIC_SITE_URL', 'https://your-domains.test'],
    ['PUBLIC_SITE_URL', 'https://waitlist.me.workers.dev'],
    ['PUBLIC_SUPPORT_EMAIL', 'example@stash.test'],
    ['TOKEN_SECRET', 'a-secret@that.looks.like.one.example'],
  ] as const)('is not found in a value that only looks like one: %s=%s', (name, value) => {
    expect(findOwnFault(name, value)).toBeUndefined();
  });

  it('never appears in a hint, where it might look like a value', () => {
    const texts = listVariables('owner').map(
      (name) => `${readVariable(name).hint} ${readVariable(name).source}`,
    );
    expect(texts.filter((text) => /\.example\b/.test(text))).toEqual([]);
  });
});

describe('the sender', () => {
  it.each(['jo@gmail.com', 'Jo <jo@Outlook.com>', 'onboarding@resend.dev', 'jo@yahoo.co.uk'])(
    'is refused at a domain that is not the owner’s: %s',
    (sender) => {
      expect(describeOwnFault('PUBLIC_EMAIL_SENDER', sender)).toMatch(
        /^PUBLIC_EMAIL_SENDER cannot be used: (gmail\.com|Outlook\.com|resend\.dev|yahoo\.co\.uk) is not your domain\./,
      );
    },
  );
});

describe('the URL of the site', () => {
  it.each([
    'http://localhost:1',
    'https://localhost',
    'https://127.0.0.1',
    'https://[::1]',
    'https://stash',
    'http://stash.test',
    'stash.test',
  ])('is refused when visitors cannot reach it: %s', (url) => {
    expect(describeOwnFault('PUBLIC_SITE_URL', url)).toMatch(/^PUBLIC_SITE_URL is malformed/);
  });

  it('must be the only one if it is on workers.dev, because Cloudflare would switch it off', () => {
    expect(describeFaults({ SITE_URL: 'https://stash.test, https://waitlist.me.workers.dev' })).toEqual([
      expect.stringMatching(/^SITE_URL cannot be used: a workers\.dev host/),
    ]);
  });
});
