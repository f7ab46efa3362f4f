/**
 * Content files that tests change, as the tests know them. They stand in copies only, in the place of the editor's: what
 * an editor writes, moves or deletes breaks no test. Their orders are out of the way.
 */
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
  'content/perks/featured-placement.mdx': `---
order: 903
title: A place for tests
---

At eye level.
`,
  'content/perks/xp-perks.mdx': `---
order: 904
title: XP for tests
---

More of it.
`,
  'content/features/sell.mdx': `---
order: 904
title: Tests for sale
picture: crate
---

Keep {freeShare} of each.
`,
  'content/sections/hero.mdx': `---
heading: A headline for tests
tagline: Create tests
note: They come early
scroll: Down to the features
lede: A place for those who test
---
`,
  'content/sections/creators.mdx': `---
heading: For those who test
audienceHeading: Who
audience:
  - Modders
  - Coders
kindsHeading: What
kinds:
  - Scripts
xpHeading: XP
xp: It is earned.
---

Tests need words.

## A known heading
`,
};
