import { type MouseEvent, type ReactNode, type RefObject, useRef } from 'react';

interface ModalProps {
  id: string;
  ref?: RefObject<HTMLDialogElement | null>;
  headingId: string;
  closeLabel: string;
  children: ReactNode;
}

/**
 * The native dialog behind both modals. × and Escape close it even before hydration. So does the backdrop in browsers
 * that support `closedby`. `client:intent` closes it when a visitor follows one of its links.
 */
export function Modal({ id, ref, headingId, closeLabel, children }: ModalProps) {
  const isPressedOutside = useRef(false);

  function notePress(event: MouseEvent<HTMLDialogElement>) {
    isPressedOutside.current = isOutside(event);
  }

  function closeByBackdrop(event: MouseEvent<HTMLDialogElement>) {
    // A browser that supports closedby does this itself.
    if ('closedBy' in HTMLDialogElement.prototype) return;
    // A drag that starts in the modal, for example to select text, can end with a click on the backdrop.
    if (isPressedOutside.current && isOutside(event)) event.currentTarget.close();
  }

  return (
    <dialog
      id={id}
      ref={ref}
      className="modal night"
      aria-labelledby={headingId}
      onPointerDown={notePress}
      onClick={closeByBackdrop}
      // It differs from the rendered HTML when the browser opened it before hydration.
      suppressHydrationWarning
      {...{ closedby: 'any' }}
    >
      <div className="modal-panel">
        {children}
        <form method="dialog">
          <button className="modal-close" aria-label={closeLabel}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M6 6l12 12M18 6L6 18" />
            </svg>
          </button>
        </form>
      </div>
    </dialog>
  );
}

/** Compares coordinates, because a click on the shutter above the panel also has the dialog as its target. */
function isOutside({
  currentTarget,
  target,
  clientX: x,
  clientY: y,
}: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return target === currentTarget && (x < left || x > right || y < top || y > bottom);
}
