import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseFrontmatter } from '@astrojs/markdown-remark';
import { fillFacts } from '../src/facts.ts';
import { anchors, pages, placeholders, site, social } from '../src/site.ts';

const folder = resolve(import.meta.dirname, '../content');

export interface Link {
  label: string;
  link: string;
}

/** One section, for a page that draws every section alike. */
export interface Section {
  id: string;
  heading: string;
  paragraphs: string[];
  /** Questions open and close; numbers count the items. */
  kind: 'items' | 'numbers' | 'questions';
  items: { title: string; text: string }[];
  hasForm: boolean;
  action: Link | undefined;
}

/** The words of the landing page, as plain data: what the pages beside this site are made of. */
export type Content = ReturnType<typeof readContent>;

/**
 * Reads the landing page's words from content/.
 *
 * @throws Error that names file and field when a field is gone.
 */
export function readContent() {
  const landing = readEntry('pages/landing');
  const hero = readEntry('sections/hero');
  const form = readEntry('sections/waitlist-form');
  const success = readEntry('sections/success');
  const navigation = readEntry('sections/navigation');
  const waitlist = readEntry('sections/waitlist');
  const creators = readEntry('sections/creators');
  const features = readEntry('sections/features');
  const banner = readEntry('sections/banner');
  const reasons = readEntry('sections/reasons');
  const faq = readEntry('sections/faq');
  const community = readEntry('sections/community');
  const discord: Link = { label: community.read('action'), link: social.discord.link };
  return {
    title: `${site.name}: ${site.description}`,
    name: site.name,
    description: landing.read('description'),
    navigation: [pages.about, discord, { label: navigation.read('faq'), link: anchors.faq }] as Link[],
    hero: { heading: hero.read('heading'), tagline: hero.read('tagline'), note: hero.read('note') },
    form: {
      label: form.read('label'),
      placeholder: form.read('placeholder'),
      action: form.read('action'),
      sending: form.read('sending'),
      consent: form.read('consent'),
      consentLink: form.read('consentLink'),
    },
    success: { heading: success.read('heading'), text: success.read('text'), discord },
    sections: [
      makeSection('waitlist', waitlist, { items: readItems('perks'), hasForm: true }),
      makeSection('creators', creators, {
        items: [
          { title: creators.read('audienceHeading'), text: creators.read('audience') },
          { title: creators.read('kindsHeading'), text: creators.read('kinds') },
          { title: creators.read('xpHeading'), text: creators.read('xp') },
        ],
      }),
      makeSection('features', features, { items: readItems('features') }),
      makeSection('banner', banner, { action: { label: banner.read('action'), link: anchors.top } }),
      makeSection('reasons', reasons, { kind: 'numbers', items: readItems('reasons') }),
      makeSection('faq', faq, { kind: 'questions', items: readItems('faq', 'question') }),
      makeSection('community', community, { paragraphs: [community.read('tagline')], action: discord }),
    ],
    footer: {
      contacts: [placeholders.PUBLIC_SUPPORT_PHONE, placeholders.PUBLIC_SUPPORT_EMAIL],
      links: Object.values(pages) as Link[],
      notice: site.independenceNotice,
      copyright: `© ${site.copyrightYear} ${site.name}`,
    },
  };
}

function makeSection(id: string, entry: ReturnType<typeof readEntry>, more: Partial<Section>): Section {
  const { paragraphs } = entry;
  const heading = entry.read('heading');
  return { id, heading, paragraphs, kind: 'items', items: [], hasForm: false, action: undefined, ...more };
}

function readItems(name: string, title = 'title'): { title: string; text: string }[] {
  const entries = readdirSync(join(folder, name)).map((file) =>
    readEntry(`${name}/${file.replace('.mdx', '')}`),
  );
  return entries
    .toSorted((a, b) => Number(a.read('order')) - Number(b.read('order')))
    .map((entry) => ({ title: entry.read(title), text: entry.paragraphs.join(' ') }));
}

function readEntry(name: string) {
  const { frontmatter, content } = parseFrontmatter(readFileSync(join(folder, `${name}.mdx`), 'utf8'));
  const plain = fillFacts(content).replace(/<[^>]*>|[*_`]|\[|\]\([^)]*\)/g, '');
  return {
    paragraphs: plain
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter(Boolean),
    read(field: string): string {
      const value: unknown = frontmatter[field];
      if (value === undefined)
        throw new Error(`content/${name}.mdx has no "${field}". Mend bench/content.ts.`);
      return fillFacts(Array.isArray(value) ? value.join(', ') : String(value));
    },
  };
}
