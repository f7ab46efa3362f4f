import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HtmlValidate } from 'html-validate';
import { renderToStaticMarkup } from 'react-dom/server';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Element, readAttribute, readElements, readText } from '~/build/headers/elements.ts';
import { knownAnnouncement } from '../known-content.ts';
import { changeFacts } from './other-facts.ts';
import { deploymentValues, makeEnvironment, SiteCopy } from './site-copy.ts';

const origin = deploymentValues.PUBLIC_SITE_URL;
const values = {
  ...deploymentValues,
  PUBLIC_SUPPORT_EMAIL: 'help@elsewhere.test',
  PUBLIC_EMAIL_FUNCTION_URL: 'https://mail.dropyard.example/send',
};
const signs = 'Is 1 < 2 & "a" or \'b\' text?';

const others = ['.env.example', '.github', 'README.md', 'docs', 'tests', 'ops', 'supabase', 'wrangler.jsonc'];
/** With the facts of another owner. The browser tests see a site with ours. */
const site = new SiteCopy({ others });
changeFacts(site);
const own: typeof import('~/config/site.ts') = await import(join(site.folder, 'src/config/site.ts'));
const { figures, placeholders, site: facts, social } = own;
let pages: Record<string, Element[]>;
let output: string;

beforeAll(async () => {
  site.write(
    'content/support-faq/signs.mdx',
    `---\norder: 999\nquestion: ${JSON.stringify(signs)}\n---\n\nIt's "as typed"...\n\nAsk <SupportEmail />, <SupportPhone />, <PostalAddress /> or [us]({discord}).\n\n[Share it](/support#support-question-signs), or [write](mailto:{minimumAge}@b.example).\n\n![A wide yard](/wide%20yard.jpg)\n`,
  );
  const upright = sharp({ create: { width: 900, height: 1200, channels: 3, background: 'red' } }).jpeg();
  site.write('public/wide yard.jpg', await upright.withMetadata({ orientation: 6 }).toBuffer());
  site.write(
    'content/announcements/hushed.mdx',
    `---\nsubject: A hushed launch\npreview: Read this\n---\n\n${knownAnnouncement}\n`,
  );
  const build = site.build(values);
  expect(build.status, build.output).toBe(0);
  output = build.output;
  const files = globSync('dist/**/*.html', { cwd: site.folder });
  pages = Object.fromEntries(files.map((file) => [file.slice(5), readElements(site.read(file))]));
});
afterAll(() => site.remove());

/** Returns the file for a URL path, as the static host finds it. */
function findFile(pathname: string): string | undefined {
  const path = decodeURI(pathname).replace(/^\/|\/$/g, '');
  const file = /\.\w+$/.test(path) ? path : join(path, 'index.html');
  return existsSync(join(site.folder, 'dist', file)) ? file : undefined;
}

function addressOf(file: string): string {
  return `${origin}/${file.replace(/(^|\/)index\.html$/, '').replace('404.html', '')}`;
}

const findTag = (elements: Element[], tag: string) => elements.filter(({ tagName }) => tagName === tag);

function readMeta(elements: Element[]): Record<string, string> {
  const entries = findTag(elements, 'meta').map((meta) => [
    readAttribute(meta, 'name') ?? readAttribute(meta, 'property'),
    readAttribute(meta, 'content'),
  ]);
  return Object.fromEntries(entries);
}

const readWords = (html: string) => html.replace(/(<[^>]*>|\s)+/g, ' ').trim();

function readStructuredData(file: string): unknown[] {
  return pages[file]!.filter((element) => readAttribute(element, 'type') === 'application/ld+json').map(
    (element) => JSON.parse(readText(element)),
  );
}

/** The questions in the structured data of a page. */
function readQuestions(file: string) {
  type Question = { name: string; acceptedAnswer: { text: string } };
  const all = readStructuredData(file) as { '@type'?: string; mainEntity: Question[] }[];
  return all.filter((one) => one['@type'] === 'FAQPage').flatMap(({ mainEntity }) => mainEntity);
}

describe('every built page', () => {
  it('is valid HTML', async () => {
    const rules = { 'missing-doctype': 'error', 'no-missing-references': 'error' } as const;
    const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules });
    for (const file of Object.keys(pages)) {
      const report = await validator.validateString(site.read(`dist/${file}`), file);
      const faults = report.results.flatMap(({ messages }) => messages);
      // Astro's own style for islands is beside the first one. Mail clients need attributes that HTML has deprecated.
      const excused = file.startsWith('welcome') ? /^<style>|is deprecated/ : /^<style>/;
      expect(faults.map(({ message }) => message).filter((message) => !excused.test(message))).toEqual([]);
    }
  });

  it('is complete without scripts, and loads no external one', () => {
    for (const elements of Object.values(pages)) {
      expect(findTag(elements, 'h1')).not.toEqual([]);
      const sources = findTag(elements, 'script').map((script) => readAttribute(script, 'src'));
      expect(sources.filter(Boolean)).toEqual([]);
    }
    for (const page of ['about', 'terms-of-use', 'privacy-policy'])
      expect(findTag(pages[`${page}/index.html`]!, 'script')).toEqual([]);
  });

  it('has no broken link to this site', () => {
    const dead: string[] = [];
    let count = 0;
    for (const [file, elements] of Object.entries(pages)) {
      const references = elements.flatMap((element) => [
        ...['href', 'src'].map((name) => readAttribute(element, name)),
        ...(readAttribute(element, 'srcset') ?? '').split(',').map((part) => part.trim().split(' ')[0]),
        // Of a style sheet, also that of the email, which the welcome page shows, and of the data for search engines.
        ...[...readText(element).matchAll(/(?:url\(|"logo":)"?([/h].*?)[")]/g)].map(([, path]) => path),
      ]);
      for (const reference of references) {
        if (!reference) continue;
        const { origin: target, pathname, hash } = new URL(reference, addressOf(file));
        if (target !== origin) continue;
        count += 1;
        const found = findFile(pathname);
        const anchors = found ? pages[found] : undefined;
        const isThere =
          hash === '' || anchors?.some((element) => readAttribute(element, 'id') === hash.slice(1));
        if (!found || !isThere) dead.push(`${file}: ${reference}`);
      }
    }
    expect(dead).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  it('shows a phone the yard in the light of its color scheme', async () => {
    const [day, night] = findTag(pages['index.html']!, 'source').map((one) => readAttribute(one, 'srcset'));
    const read = (path = '') => sharp(join(site.folder, 'dist', path)).stats();
    expect((await read(day)).channels[0]!.mean).toBeGreaterThan((await read(night)).channels[0]!.mean);
  });

  it('keeps the place of every picture, in every file that it may come from', async () => {
    const pictures = Object.values(pages).flat();
    for (const one of pictures.filter(({ tagName }) => tagName === 'img' || tagName === 'source')) {
      const path = readAttribute(one, 'srcset') ?? readAttribute(one, 'src')!;
      const { autoOrient } = await sharp(join(site.folder, 'dist', decodeURI(path))).metadata();
      const [width, height] = ['width', 'height'].map((side) => Number(readAttribute(one, side)));
      expect(width! / height!, path).toBeCloseTo(autoOrient.width / autoOrient.height, 2);
    }
  });

  it('shows the contacts in a text as they are, fills in the facts of its links, and loads its picture late', () => {
    const { PUBLIC_SUPPORT_PHONE: phone, PUBLIC_POSTAL_ADDRESS: address } = placeholders;
    const email = values.PUBLIC_SUPPORT_EMAIL;
    const html = site.read('dist/support/index.html');
    const words = readWords(html).replaceAll(' ,', ',');
    expect(words).toContain(`Ask ${email}, ${phone}, ${renderToStaticMarkup(address)} or us`);
    const links = findTag(pages['support/index.html']!, 'a').map((link) => readAttribute(link, 'href'));
    expect(links).toEqual(
      expect.arrayContaining([
        `mailto:${figures.minimumAge}@b.example`,
        `mailto:${email}`,
        `tel:+${phone.replace(/\D/g, '')}`,
        social.discord.link,
      ]),
    );
    expect(html).toMatch(/<img [^>]*alt="A wide yard" width="1200" height="900" loading="lazy"/);
  });

  it('has a title, a description, a canonical URL and a share card that match, different on every listed page', async () => {
    const seen: (string | undefined)[][] = [];
    for (const [file, elements] of Object.entries(pages)) {
      const meta = readMeta(elements);
      const title = readText(findTag(elements, 'title')[0]!);
      const { description = '', 'og:image': card = '' } = meta;
      expect(title).toContain(facts.name);
      expect(title).toContain(meta['og:title']);
      expect(description.length).toBeGreaterThan(20);
      const findLinks = (rel: string) =>
        findTag(elements, 'link').flatMap((link) =>
          readAttribute(link, 'rel') === rel ? (readAttribute(link, 'href') ?? []) : [],
        );
      expect(findLinks('canonical')).toEqual([addressOf(file)]);
      for (const icon of ['icon', 'apple-touch-icon']) expect(findLinks(icon)).not.toEqual([]);
      const style = findTag(elements, 'style').map(readText).join('');
      for (const font of findLinks('preload')) expect(style).toContain(font);
      for (const [face] of style.matchAll(/@font-face\s*\{[^}]*url\([^}]*/g))
        expect(face, 'words are seen before it arrives').toMatch(/font-display:\s*(swap|fallback)/);
      expect(meta).toMatchObject({
        'og:site_name': facts.name,
        'og:description': description,
        'og:url': addressOf(file),
        'twitter:card': 'summary_large_image',
        viewport: 'width=device-width, initial-scale=1',
      });
      const picture = findFile(new URL(card).pathname) ?? 'none';
      const { width, height } = await sharp(join(site.folder, 'dist', picture)).metadata();
      expect([String(width), String(height)]).toEqual([meta['og:image:width'], meta['og:image:height']]);
      if (file !== '404.html') seen.push([title, description, card]);
    }
    for (const column of [0, 1, 2]) expect(new Set(seen.map((row) => row[column])).size).toBe(seen.length);
  });
});

it('the build lists the remaining placeholders, and uses the values that are set', () => {
  expect(output).toContain('PUBLIC_SUPPORT_PHONE');
  expect(output).not.toContain('PUBLIC_SUPPORT_EMAIL');
  expect(site.read('dist/index.html')).toContain(`action="${values.PUBLIC_EMAIL_FUNCTION_URL}"`);
  expect(site.read('shared/welcome.ts'), 'rendered by the build').toContain(social.discord.link);
});

it('the payout slip reckons with a share that is written with a comma', () => {
  expect(readWords(site.read('dist/index.html'))).toContain(' 12.5% $');
});

describe('the data for search engines', () => {
  it('lets crawlers read everything, and lists every page once, except those for a single member', () => {
    const [, index = ''] = /<loc>(.*?)<\/loc>/.exec(site.read('dist/sitemap-index.xml')) ?? [];
    const rules = `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap-index.xml\n`;
    expect(site.read('dist/robots.txt')).toBe(rules);
    const sitemap = site.read(`dist${new URL(index).pathname}`);
    const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
    const canonical = Object.keys(pages)
      .filter((file) => readMeta(pages[file]!)['robots'] !== 'noindex')
      .map(addressOf);
    expect(listed.sort()).toEqual([...new Set(canonical)].sort());
  });

  it('names the organization and the site on the landing page', () => {
    const { name } = facts;
    const url = `${origin}/`;
    const links = Object.values(social).map(({ link }) => link);
    expect(readStructuredData('index.html')[0]).toMatchObject({
      '@graph': [
        { '@type': 'Organization', name, url, email: values.PUBLIC_SUPPORT_EMAIL, sameAs: links },
        { '@type': 'WebSite', name, url },
      ],
    });
  });

  it('contains the questions of each page as it shows them', () => {
    for (const [file, elements] of Object.entries(pages)) {
      const questions = readQuestions(file);
      const panels = elements.filter((one) => readAttribute(one, 'class')?.includes('accordion-panel'));
      const summaries = panels.length > 0 ? findTag(elements, 'summary') : [];
      expect(questions.map(({ name }) => name)).toEqual(summaries.map((one) => readText(one).trim()));
      const sources = panels.map(({ sourceCodeLocation: place }) =>
        site.read(`dist/${file}`).slice(place!.startOffset, place!.endOffset),
      );
      const answers = questions.map(({ acceptedAnswer }) => acceptedAnswer.text);
      expect(answers.map(readWords)).toEqual(sources.map(readWords));
    }
    expect(readQuestions('index.html').length).toBeGreaterThan(0);
  });
});

it('no announcement is published, not even one that is ready to be sent', () => {
  const files = globSync('dist/**', { cwd: site.folder }).map((file) => join(site.folder, file));
  const published = files.filter((file) => statSync(file).isFile());
  const leaks = published.filter((file) => /hushed|Below it/i.test(file + readFileSync(file, 'latin1')));
  expect(leaks).toEqual([]);
});

it.each([
  // Of this file alone, because the types of the whole project take a quarter of a minute.
  ['the type checker', 'node_modules/typescript/bin/tsc', '--ignoreConfig', '--noEmit', 'src/config/site.ts'],
  ['the content check', 'src/content-model/check/main.ts'],
  [
    'every unit test that reads facts',
    ...['node_modules/vitest/vitest.mjs', 'related', 'src/config/site.ts', 'shared/welcome.ts'],
    // Each worker would load all modules for itself.
    ...['--run', '--config', 'tests/vitest.config.ts', '--project', 'unit', '--maxWorkers', '1'],
  ],
])('%s accepts every fact changed that the docs offer to an owner', (_, ...command) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: site.folder,
    encoding: 'utf8',
    env: makeEnvironment({}),
  });
  expect(status, stdout + stderr).toBe(0);
});

it('the welcome email is rendered again after a change of its words, a color or its look', async () => {
  const module = join(site.folder, 'src/build/welcome-email.ts');
  const { writeWelcome } = (await import(module)) as typeof import('~/build/welcome-email.ts');
  for (const [file, from, to] of [
    ['content/email/welcome.mdx', /(?<=\npreview: ).*/, 'Other words'],
    ['src/styles/tokens.css', /(?<=--text-quiet: )[^;]+/g, '#bbbbbb'],
    ['src/emails/EmailText.tsx', 'sans-serif', 'monospace'],
  ] as const) {
    site.edit(file, from, to);
    await writeWelcome();
    expect(site.read('shared/welcome.ts')).toContain(to);
  }
});
