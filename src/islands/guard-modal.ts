/**
 * Call it when a modal has opened. Closes one that something hides, such as a blocker, because nothing behind it could be
 * used. Ignores the second click of a double click even where a visitor's own style removes the animation in modal.css.
 */
export function guardModal(dialog: HTMLDialogElement): void {
  if (dialog.checkVisibility?.() === false) dialog.close();
  const options = { duration: 700, pseudoElement: '::after' };
  dialog.querySelector('form')!.animate({ visibility: ['visible', 'visible'] }, options);
}
