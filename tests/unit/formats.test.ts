import { describe, expect, it } from 'vitest';
import { formatTime, toCsv, toJsonArray } from '../../owner/formats.ts';

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
    expect(JSON.parse(await write(toJsonArray(inPages(...pages))))).toEqual(pages.flat());
  });
});

describe('a time', () => {
  it('is shown to the second', () => {
    expect(formatTime('2026-11-21T18:30:00.123456Z')).toBe('2026-11-21T18:30:00Z');
  });
});
