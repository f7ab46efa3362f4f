import { useState } from 'react';
import type { Content, Link, Section } from '../content.ts';
import type { Picture } from '../picture.ts';
import { WaitlistForm } from './WaitlistForm.tsx';

/** The landing page, drawn in the browser. */
export function Landing({ content, picture }: { content: Content; picture: Picture | null }) {
  const [hasJoined, setHasJoined] = useState(false);
  const { hero, success, footer } = content;
  const form = (name: string) => (
    <WaitlistForm name={name} words={content.form} onJoin={() => setHasJoined(true)} />
  );
  return (
    <>
      <header>
        <strong>{content.name}</strong>
        <Links label="Main" links={content.navigation} />
      </header>
      <main>
        <section>
          <h1>{hero.heading}</h1>
          <p>{hero.tagline}</p>
          {form('hero')}
          <p>{hero.note}</p>
        </section>
        {content.sections.map((section) => (
          <section key={section.id} id={section.id}>
            <h2>{section.heading}</h2>
            {section.hasForm && picture && (
              <img
                src={picture.path}
                width={picture.width}
                height={picture.height}
                alt={picture.alt}
                loading="lazy"
              />
            )}
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            <Items {...section} />
            {section.hasForm && form(section.id)}
            {section.action && (
              <a className="action" href={section.action.link}>
                {section.action.label}
              </a>
            )}
          </section>
        ))}
      </main>
      <footer>
        {footer.contacts.map((contact) => (
          <p key={contact}>{contact}</p>
        ))}
        <Links label="Footer" links={footer.links} />
        <p>{footer.notice}</p>
        <p>{footer.copyright}</p>
      </footer>
      {hasJoined && (
        <div className="joined" role="status">
          <h2>{success.heading}</h2>
          <p>{success.text}</p>
          <a href={success.discord.link}>{success.discord.label}</a>
        </div>
      )}
    </>
  );
}

function Items({ kind, items }: Section) {
  const [open, setOpen] = useState('');
  if (kind === 'questions') {
    return items.map(({ title, text }) => (
      <details key={title} open={open === title}>
        <summary
          onClick={(event) => {
            event.preventDefault();
            setOpen(open === title ? '' : title);
          }}
        >
          {title}
        </summary>
        <p>{text}</p>
      </details>
    ));
  }
  if (items.length === 0) return null;
  const List = kind === 'numbers' ? 'ol' : 'ul';
  return (
    <List>
      {items.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          {text}
        </li>
      ))}
    </List>
  );
}

function Links({ label, links }: { label: string; links: Link[] }) {
  return (
    <nav aria-label={label}>
      {links.map(({ label: words, link }) => (
        <a key={link} href={link}>
          {words}
        </a>
      ))}
    </nav>
  );
}
