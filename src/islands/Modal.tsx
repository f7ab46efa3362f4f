import type { MouseEvent, ReactNode, RefObject } from 'react';

interface ModalProps {
  id: string;
  ref?: RefObject<HTMLDialogElement | null>;
  headingId: string;
  closeLabel: string;
  children: ReactNode;
}

/**
 * The native dialog that both modals are made of. It closes by ×, backdrop and Escape, hydrated or not. Its links close
 * it by `client:intent`.
 */
export function Modal({ id, ref, headingId, closeLabel, children }: ModalProps) {
  function closeByBackdrop(event: MouseEvent<HTMLDialogElement>) {
    // Where the browser knows closedby it does this itself, and tells a click from a drag that ends outside.
    const isNative = 'closedBy' in HTMLDialogElement.prototype;
    if (!isNative && event.target === event.currentTarget) event.currentTarget.close();
  }

  return (
    <dialog
      id={id}
      ref={ref}
      className="modal"
      aria-labelledby={headingId}
      onClick={closeByBackdrop}
      // Opened by the browser before hydration, it differs from what was rendered.
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
