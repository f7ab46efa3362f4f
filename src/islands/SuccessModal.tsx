import type { ReactNode } from 'react';
import { anchors, type OuterLink } from '~/site';
import { Modal } from './Modal';

interface SuccessModalProps {
  words: { heading: string; mail: string; text: string; action: string; close: string; back: string };
  discord: OuterLink;
  /** The picture above the heading. */
  children?: ReactNode;
}

const id = anchors.joined.slice(1);
const headingId = `${id}-heading`;

/** Fragments to which the function redirects a native sign-up. Their message is outdated once a sign-up succeeds. */
const outcomes: string[] = [anchors.joined, anchors.addressRefused, anchors.notJoined, anchors.tryLater];

/**
 * Tells new members that they joined, and where to go next.
 *
 * All forms of a page share it. Without scripts, the function redirects to its fragment, and `:target` shows it.
 */
export default function SuccessModal({ words, discord, children }: SuccessModalProps) {
  return (
    <Modal id={id} headingId={headingId} closeLabel={words.close}>
      {children}
      <h2 id={headingId}>{words.heading}</h2>
      <p>{words.mail}</p>
      <p>{words.text}</p>
      <a className="action" href={discord} target="_blank" rel="noopener">
        {words.action}
      </a>
      <a className="modal-back" href={anchors.top}>
        {words.back}
      </a>
    </Modal>
  );
}

/** Opens the success modal of the page. When it closes, the browser restores the focus. */
export function openSuccessModal(): void {
  if (outcomes.includes(location.hash)) removeFragment();
  (document.getElementById(id) as HTMLDialogElement).showModal();
}

/** Removes the fragment from the URL without scrolling. */
function removeFragment(): void {
  // Only a navigation resets :target, and only one to an unknown id does not scroll.
  location.replace('#-');
  history.replaceState(history.state, '', location.pathname + location.search);
}
