import type { ReactNode } from 'react';
import { anchors, type OuterLink } from '~/site';
import { Modal } from './Modal';

interface SuccessModalProps {
  words: { heading: string; text: string; action: string; close: string; back: string };
  discord: OuterLink;
  /** A picture for the moment. */
  children?: ReactNode;
}

const id = anchors.joined.slice(1);
const headingId = `${id}-heading`;

/** Where the function led after a native sign-up. What it said there is over once another one worked. */
const outcomes: string[] = [anchors.joined, anchors.addressRefused, anchors.notJoined, anchors.tryLater];

/**
 * Tells a new member that it worked, and where to go next.
 *
 * It stands in the page once, for every form. Where no script runs, the function leads to its address, and it shows
 * itself as the target of that address.
 */
export default function SuccessModal({ words, discord, children }: SuccessModalProps) {
  return (
    <Modal id={id} headingId={headingId} closeLabel={words.close}>
      {children}
      <h2 id={headingId}>{words.heading}</h2>
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

/** Opens the success modal of the page, and tells when it was closed. */
export function openSuccessModal(onClose: () => void): void {
  if (outcomes.includes(location.hash)) leaveFragment();
  const dialog = document.getElementById(id) as HTMLDialogElement;
  dialog.addEventListener('close', onClose, { once: true });
  dialog.showModal();
}

/** Takes the fragment out of the address of the page, without a scroll. */
function leaveFragment(): void {
  // Only a navigation ends :target, and only one to a place that is not there scrolls nowhere.
  location.replace('#-');
  history.replaceState(history.state, '', location.pathname + location.search);
}
