import { type MouseEvent, useRef } from 'react';
import { anchors, type InnerLink, type OuterLink } from '~/site';
import { Modal } from './Modal';

interface NavigationModalProps {
  words: { open: string; heading: string; close: string };
  links: { label: string; link: InnerLink | OuterLink }[];
  /** The label of the button that leads to the form. */
  join: string;
}

const id = 'navigation';
const headingId = 'navigation-heading';

/** The menu of the landing page. Before hydration the button's native `command` opens it. */
export default function NavigationModal({ words, links, join }: NavigationModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  function open(event: MouseEvent) {
    event.preventDefault();
    if (!dialog.current?.open) dialog.current?.showModal();
  }

  return (
    <>
      <button
        className="menu-trigger"
        type="button"
        aria-label={words.open}
        aria-haspopup="dialog"
        onClick={open}
        data-hold
        {...{ command: 'show-modal', commandfor: id }}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M3 7h18M3 12h18M3 17h18" />
        </svg>
      </button>
      <Modal id={id} ref={dialog} headingId={headingId} closeLabel={words.close}>
        <h2 id={headingId}>{words.heading}</h2>
        <nav aria-labelledby={headingId}>
          <ul>
            {links.map(({ label, link }) => (
              <li key={link}>
                <a href={link} {...(link.startsWith('https:') && { target: '_blank', rel: 'noopener' })}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <a className="action" href={anchors.top}>
          {join}
        </a>
      </Modal>
    </>
  );
}
