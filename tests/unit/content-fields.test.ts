import { z } from 'astro/zod';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Collection, collections } from '~/content-check/collections.ts';
import { site } from '~/site.ts';
import { checkFiles, followAdvice } from './content-copy.ts';

const quote = 'A quotation mark is missing or in the wrong place. Put words with an apostrophe in "double';

/** What an editor types after `question:`, and the message for it. */
const questions: [typed: string, said: string][] = [
  // Characters with a special meaning in YAML.
  ["'When's payday?'", quote],
  ['"Say "hi" now"', quote],
  ['"When', quote],
  ['When do I get it?"', quote],
  ['Now: when?', 'There is a second colon in the line. Put the words in quotes: question: "…".'],
  ['When is it paid:', 'There is a second colon in the line.'],
  ['“When: now”', 'Curly quotes do not work here. Put the words in quotes: question: "…".'],
  ...['@Creators, when?', '{app} pays when?', '*When', '- When', '% of what?', '&c?', '!When']
    .concat('[When] is it?', '> When', '| When')
    .map((typed): [string, string] => [
      typed,
      `The words begin with ${typed[0]}, which has a special meaning there. Put the words in quotes: question: "…".`,
    ]),
  ['>-', 'A field is one line. Write its words here instead of >-.'],
  ['We are #1. Are we? # yes', 'A # after a space hides the rest of the line. Put the words in quotes'],
  ['#1 in RP?', 'A # after a space hides the rest of the line.'],
  ['"When \\& how?"', 'A backslash \\ has a special meaning in double quotes.'],
  ['"When\\n"', 'Visitors would see \\n as typed. Remove it.'],
  ['`When', 'Visitors would see `When as typed. A field is plain words'],
  // Values of the wrong type.
  ['', 'question is empty. What belongs there: The question as a visitor would ask it.'],
  ["''", 'question is empty'],
  ["' '", 'question is empty'],
  ['~', 'question is empty'],
  ['42', 'question must be words: put them in "double quotes"'],
  ['2025-01-01', 'question must be words'],
  [
    'What '.repeat(40),
    'question is longer than 120 characters (it has 199). What belongs there: The question',
  ],
  // Code that visitors would see.
  ['When **do** I get it?', 'Visitors would see **do** as typed. A field is plain words'],
  ["'Is **it''s** right?'", "Visitors would see **it's** as typed."],
  ['When do I [get](/support) it?', 'Visitors would see [get](/support) as typed. A field is'],
  ['When does `payday` come?', 'Visitors would see `payday` as typed.'],
  ['"## When?"', 'Visitors would see ## When? as typed.'],
  ['Ask <SupportEmail />?', 'Visitors would see <SupportEmail /> as typed. A field is plain words'],
  ['When<br>do I?', 'Visitors would see <br> as typed.'],
  ['Scripts &amp; mods?', 'Visitors would see &amp; as typed. Type the character itself.'],
  ['When\\?', 'Visitors would see When\\? as typed.'],
  ['When [do I] (/support) get it?', 'Visitors would see [do I] (/support) as typed. A field is'],
  ['When [do I/support] get it?', 'Visitors would see [do I/support] as typed. A field is'],
  ['When [do I](/support get it?', 'Visitors would see [do I](/support as typed. A field is'],
  ['When **do I?', 'Visitors would see **do as typed. A field is plain words'],
  ['When do I get it**', 'Visitors would see it** as typed. A field is plain words'],
  ['__When do I?', 'Visitors would see __When as typed. A field is plain words'],
  ['*When* is it?', 'Visitors would see *When* as typed. A field is plain words'],
  ['**When** is it?', 'Visitors would see **When** as typed. A field is plain words'],
  ['`When` is it?', 'Visitors would see `When` as typed. A field is plain words'],
  ['# When?', 'Visitors would see # When? as typed. A field is plain words'],
  ['TODO: When?', 'Visitors would see TODO: as typed. Write the real words.'],
  ['When is [LINK] open?', 'Visitors would see [LINK] as typed. Write the real words.'],
  [
    'Is it { return }?',
    'Visitors would see { return } as typed. Curly brackets must contain the name of a fact: {app}',
  ],
  ['Is it ||free|| now?', 'Visitors would see ||free|| as typed. Remove the symbols.'],
  ['When :money_bag:?', 'Type the emoji itself.'],
  ...[
    '<me@elsewhere.example>',
    '<https://elsewhere.example>',
    '<b do I',
    '<i do I',
    '<br do',
    '<a do',
    '<img do',
  ].map((typed): [string, string] => [
    `When ${typed}?`,
    'A field is plain words, without bold, links or code.',
  ]),
  ['Is it <SupportEmail?', '<SupportEmail? does not work. Write <SupportEmail /> in a text instead.'],
  ['Is it {SupportEmial}?', 'Curly brackets must contain the name of a fact: {app}'],
  // Facts.
  ...['${app}', '$app', '%app%', '[app]', '{{app}}'].map((typed): [string, string] => [
    `When does ${typed} pay?`,
    `${typed} does not work. Write {app}.`,
  ]),
  [`Is ${site.name.toUpperCase()} free?`, `"${site.name.toUpperCase()}" is defined once for the whole site.`],
  ['When does {prcie} come?', 'Curly brackets must contain the name of a fact: {app}'],
  ['When does {payouttime} end?', 'Visitors would see {payouttime} as typed. Did you mean {payoutTime}?'],
  ['When does {payoutTime end?', 'payoutTime does not work. Write {payoutTime}.'],
  ['When does payoutTime end?', 'payoutTime does not work. Write {payoutTime}.'],
  ['Is there a 30-day limit?', 'Write {deletionTime} instead. If you mean another figure, write {30-day}.'],
  ['Is support@dropyard.example open?', 'Write <SupportEmail /> in a text instead.'],
];

const correct = [
  'Earn 11,000 XP, or {1,000} XP in a {30-day} run?',
  '1. Sign up',
  'Are we #1 in RP?',
  '2 * 3 * 4 and a_b_c, at x < 3 or <3?',
  'Do R&B; and Q&A count?',
  'Where is __resource.lua, and what is _source?',
  'Is it “free”, or even “free: for all”?',
  'Do I write to name@example.com?',
  'Is “she/her” or [sic]/other fine, if 3 > 2 (it is)?',
  'Do { app } and {app} differ?',
  '*For the first of us',
  'M*A*S*H, 2*3*4, a<b or b>a and __init__.py?',
  'Is the TODO list for C# and @everyone, 24/7?',
  'Do I type /kick [name] or %localappdata%?',
  'Is it free*?',
  '# of drops',
  'Is C:\\mods a folder?',
  'Когда? 什么时候？ 🎉',
];

const checkAll = (all: string[]) =>
  checkFiles(
    'content/faq',
    (typed, index) => {
      return `---\norder: ${index + 10}\n${`question: ${typed}`.trimEnd()}\n---\n\nYou can wait for it.\n`;
    },
    all,
  );

describe('a mistake in a field is reported once, with its line and what to do:', () => {
  const found = checkAll(questions.map(([typed]) => typed));
  it.each(questions.map((one, index) => [...one, found[index]!] as const))('%s', (_, said, messages) => {
    expect(messages).toEqual([expect.stringContaining(said)]);
    expect(messages[0]).toMatch(/^3 {2}/);
  });
});

describe('a mistake in a field is gone', () => {
  let done: ReturnType<typeof followAdvice>;
  beforeAll(() => {
    // Contacts work in texts only, and a message does not show the second of two apostrophes.
    const texts = questions.filter((one) => !/SupportEmail|''/.test(one.join())).map(([typed]) => typed);
    // Several become the same question.
    const isOther = (message: string) => !message.includes('has the same question');
    done = followAdvice(texts, (all) => checkAll(all).map((messages) => messages.filter(isOther)));
  }, 120_000);
  it('after doing what its message suggests', () => expect(done.wrong).toEqual([]));
  it('in each of the ways', () => expect(done.followed).toEqual(['another', 'correction', 'plain words']));
});

describe('a correct field passes:', () => {
  const found = checkAll(correct.map((typed) => `'${typed}'`));
  it.each(correct.map((typed, index) => [typed, found[index]] as const))('%s', (_, messages) =>
    expect(messages).toEqual([]),
  );
});

it('every field is required, apart from the draft of an announcement', () => {
  const optional = Object.values<Collection>(collections).flatMap(({ schema }) => {
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
    return Object.keys(properties).filter((name) => !required.includes(name));
  });
  expect(optional).toEqual(['draft']);
});

it('a field has at most 200 characters, apart from three that are paragraphs', () => {
  const fields = Object.values(collections).flatMap(({ schema }) =>
    Object.entries(z.toJSONSchema(schema, { io: 'input' }).properties ?? {}),
  );
  const long = fields.flatMap(([name, rule]) => {
    const limit = typeof rule === 'object' ? (rule.maxLength ?? 0) : 0;
    return limit > 200 ? [[name, limit]] : [];
  });
  expect(Object.fromEntries(long)).toEqual({ pictureAlt: 260, xp: 300, intro: 400 });
});
