import { anchors } from '../config/site.ts';
import { guardModal } from './guard-modal.ts';

/** Opens the success modal of the page, with a ticket for the email. When it closes, the browser restores the focus. */
export function openSuccessModal(email: string): void {
  const dialog = document.querySelector<HTMLDialogElement>(anchors.joined)!;
  const address = dialog.querySelector('[data-address]')!;
  address.textContent = email;
  address.parentElement!.hidden = false;
  // Before Firefox 98 and Safari 15.4.
  if (typeof dialog.showModal !== 'function') return showOutcome(anchors.joined);
  // The outcome of an earlier sign-up is outdated, even if the address bar no longer shows it. Only a navigation resets `:target`,
  // and only one to an unknown id does not scroll.
  if (document.querySelector('.refusal:target, dialog:target')) showOutcome('#-');
  dialog.showModal();
  guardModal(dialog);
}

/** Shows an outcome by `:target`, and leaves no fragment: a reload or a shared link would show it again. */
export function showOutcome(anchor: string): void {
  location.replace(anchor);
  history.replaceState(history.state, '', location.pathname + location.search);
}
