import type { Content, Link, Section } from '../content.ts';
import type { Picture } from '../picture.ts';

/** Writes the landing page by hand, as one file: style inline, no script, and a form that the browser sends itself. */
export function writePage(content: Content, picture: Picture | undefined, style: string): string {
  const { hero, success, footer } = content;
  return `<!doctype html>
<html lang="en" id="top">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(content.title)}</title>
<meta name="description" content="${escape(content.description)}">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<header><strong>${escape(content.name)}</strong><nav aria-label="Main">${content.navigation.map(writeLink).join('')}</nav></header>
<main>
<section>
<h1>${escape(hero.heading)}</h1>
<p>${escape(hero.tagline)}</p>
${writeForm(content, 'hero')}
<p>${escape(hero.note)}</p>
</section>
${content.sections.map((section) => writeSection(section, content, picture)).join('\n')}
</main>
<footer>
${footer.contacts.map((contact) => `<p>${escape(contact)}</p>`).join('')}
<nav aria-label="Footer">${footer.links.map(writeLink).join('')}</nav>
<p>${escape(footer.notice)}</p>
<p>${escape(footer.copyright)}</p>
</footer>
<div class="joined" id="joined"><h2>${escape(success.heading)}</h2><p>${escape(success.text)}</p>${writeLink(success.discord)}</div>
</body>
</html>
`;
}

function writeSection(section: Section, content: Content, picture: Picture | undefined): string {
  const { id, heading, paragraphs, hasForm, action } = section;
  return `<section id="${id}">
<h2>${escape(heading)}</h2>
${hasForm && picture ? `<img src="${picture.path}" width="${picture.width}" height="${picture.height}" alt="${escape(picture.alt)}" loading="lazy">` : ''}
${paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`).join('')}
${writeItems(section)}
${hasForm ? writeForm(content, id) : ''}
${action ? `<a class="action" href="${action.link}">${escape(action.label)}</a>` : ''}
</section>`;
}

function writeItems({ kind, items }: Section): string {
  if (kind === 'questions') {
    return items
      .map(
        ({ title, text }) =>
          `<details name="faq"><summary>${escape(title)}</summary><p>${escape(text)}</p></details>`,
      )
      .join('\n');
  }
  const list = kind === 'numbers' ? 'ol' : 'ul';
  const lines = items.map(({ title, text }) => `<li><h3>${escape(title)}</h3>${escape(text)}</li>`);
  return items.length > 0 ? `<${list}>${lines.join('\n')}</${list}>` : '';
}

function writeForm({ form }: Content, name: string): string {
  return `<form method="post" action="/functions/v1/resend-email">
<label for="${name}-email">${escape(form.label)}</label>
<div class="row"><input id="${name}-email" type="email" name="email_address" required autocomplete="email" placeholder="${escape(form.placeholder)}"><button>${escape(form.action)}</button></div>
<p>${escape(form.consent)} <a href="/privacy-policy">${escape(form.consentLink)}</a>.</p>
</form>`;
}

function writeLink({ label, link }: Link): string {
  return `<a href="${link}">${escape(label)}</a>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
