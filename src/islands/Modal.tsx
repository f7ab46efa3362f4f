import { type MouseEvent, type ReactNode, useRef } from 'react';
import { guardModal } from './guard-modal';
import { announceHydration } from './announce-hydration';

/**
 * Closes a `<dialog>` by its backdrop in browsers without the `closedby` of Modal.astro. ×, Escape and the focus afterward are the
 * browser's own. `client:intent` opens a modal in browsers without `command`, and closes it when a visitor follows a link in it.
 */
export default function Modal({ children }: { children?: ReactNode }) {
  const isPressedOutside = useRef(false);

  function notePress(event: MouseEvent<HTMLDivElement>) {
    isPressedOutside.current = isOnBackdrop(event);
  }

  function click(event: MouseEvent<HTMLDivElement>) {
    const dialog = event.currentTarget.querySelector('dialog')!;
    const trigger = (event.target as Element).closest('[command]');
    // After the command.
    if (trigger) setTimeout(guardModal, 0, dialog);
    if ('closedBy' in HTMLDialogElement.prototype) return;
    // A drag that starts in the modal, for example to select text, can end with a click on the backdrop.
    if (isPressedOutside.current && isOnBackdrop(event)) dialog.close();
  }

  return (
    <div className="island" ref={announceHydration} onPointerDown={notePress} onClick={click}>
      {children}
    </div>
  );
}

/** Compares coordinates, because a click on the shutter above the panel also has the dialog as its target. */
function isOnBackdrop({ target, clientX: x, clientY: y }: MouseEvent): boolean {
  if (!(target instanceof HTMLDialogElement)) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}
