import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { formatDuration, formatFigure, formatTime, formatWait, toCsv, toRows } from '../../owner/formats.ts';
import { print } from '../../owner/output.ts';

async function write(texts: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(texts)).join('');
}

async function* inPages<Row>(...pages: Row[][]): AsyncGenerator<Row[]> {
  yield* pages;
}

const csvOf = (value: string) => write(toCsv(inPages([{ value }]), ['value']));

describe('CSV', () => {
  it.each(['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠'])(
    'turns a cell that begins with %j into text',
    async (sign) => {
      expect(await csvOf(`${sign}1`)).toBe(`value\r\n'${sign}1\r\n`);
    },
  );

  it('turns a cell that begins with a carriage return into text', async () => {
    expect(await csvOf('\r=1')).toBe(`value\r\n"'\r=1"\r\n`);
  });

  it('quotes commas, quotes and line breaks, and a formula that contains them', async () => {
    expect(await csvOf('a,b')).toBe('value\r\n"a,b"\r\n');
    expect(await csvOf('a"b')).toBe('value\r\n"a""b"\r\n');
    expect(await csvOf('a\nb')).toBe('value\r\n"a\nb"\r\n');
    expect(await csvOf('=1,"2"')).toBe(`value\r\n"'=1,""2"""\r\n`);
  });

  it('names the columns once, in the given order', async () => {
    const pages = inPages([{ a: '1', b: '2' }], [{ a: '3', b: '4' }]);
    expect(await write(toCsv(pages, ['b', 'a']))).toBe('b,a\r\n2,1\r\n4,3\r\n');
  });
});

describe('JSON', () => {
  it.each([[[]], [[[1]]], [[[1, 2], [3]]]])('is one array, however many pages: %j', async (pages) => {
    expect(JSON.parse(await write(toRows(inPages(...pages), true, String)))).toEqual(pages.flat());
  });
});

describe('a duration', () => {
  it.each([
    [0.5, '1 minute'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [119 * 60, '119 minutes'],
    [119 * 60 + 1, '2 hours'],
    [2 * 3600 + 1, '3 hours'],
    [47 * 3600, '47 hours'],
    [47 * 3600 + 1, '2 days'],
    [72 * 3600 + 1, '4 days'],
    [1_000_000 / 2, '6 days'],
  ])('of %d seconds is rounded up: %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

it.each([
  [{}, 'about 2 minutes at 2 a second'],
  [{ paused_until: '2099-01-01T00:00:00.5Z' }, 'paused until 2099-01-01T00:00:00Z'],
  [
    { paused_until: '2099-01-01T00:00:00.5Z', problem: 'TimeoutError' },
    'paused until 2099-01-01T00:00:00Z: TimeoutError',
  ],
  [{ brake: '60 of 60 bounced' }, 'held up by the brake: "summary" says why'],
])('a wait that is held up by %o is %s', (held, text) => {
  const free = { per_second: 2, paused_until: null, problem: null, brake: null };
  expect(formatWait({ ...free, ...held }, 121)).toBe(text);
});

it('the numbers of a table are right-aligned in a column', () => {
  expect([formatFigure('members', 1204), formatFigure('joined today', 12, 'since 00:00 UTC')]).toEqual([
    'members                     1,204',
    'joined today                   12   since 00:00 UTC',
  ]);
});

it('printing waits for a slow reader, so that a long list never has to fit into memory', async () => {
  let read = 0;
  async function* list() {
    while (read < 2) yield String(++read);
  }
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(false);
  const printing = print(list());
  await setImmediate();
  const readAtOnce = read;
  for (const _ of '12') {
    process.stdout.emit('drain');
    await setImmediate();
  }
  write.mockRestore();
  expect(await printing).toBe(true);
  expect([readAtOnce, read]).toEqual([1, 2]);
});

it('a time is shown to the second', () => {
  expect(formatTime('2026-11-21T18:30:00.123456Z')).toBe('2026-11-21T18:30:00Z');
});
