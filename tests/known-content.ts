/** Content files that tests change. Everything else in their copies comes from `writeOtherContent`. */
export const knownContent = {
  'content/faq/ownership.mdx': `---
order: 903
question: What does a test own?
---

Its copy.
`,
  'content/faq/payouts.mdx': `---
order: 904
question: What is a test paid?
---

You can wait {payoutTime} for it.
`,
  'content/features/sell.mdx': `---
order: 904
title: Tests for sale
picture: papers
---

Keep {freeShare} of each.
`,
  'content/sections/hero.mdx': `---
heading: A headline for tests
tagline: Create tests
note: They come early
scroll: Down to the features
lede: A place for those who test
greeting: Hello from the tests
---
`,
};

/** The text of an announcement that uses every allowed element. */
export const knownAnnouncement = `Words that are **bold** and *not*,\\
with [a page](/support), [a place](#faq) and [another site](https://elsewhere.example/x?y=1&z=2).

## {app} & more

- Keep {freeShare}
- **One** of them

  Two of them
  - Below it

3. First
4. Second

[Open the beta](/about)

Ask <SupportEmail />, <SupportPhone />, <PostalAddress /> or [our **own** Discord]({discord}).`;
