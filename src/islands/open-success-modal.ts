import { anchors } from '../config/site.ts';
import { guardModal } from './guard-modal.ts';

/** Opens the success modal of the page, with a ticket for the email. When it closes, the browser restores the focus. */
export function openSuccessModal(email: string): void {
  const dialog = document.querySelector<HTMLDialogElement>(anchors.joined)!;
  const address = dialog.querySelector('[data-address]')!;
  address.textContent = email;
  address.parentElement!.hidden = false;
  if (typeof dialog.showModal !== 'function') {
    // Before Firefox 98 and Safari 15.4.
    showOutcome(anchors.joined);
    return;
  }
  // The outcome of an earlier, native sign-up is outdated, even if the address bar no longer shows it.
  if (document.querySelector('.refusal:target, dialog:target')) removeFragment();
  dialog.showModal();
  guardModal(dialog);
}

/** Shows an outcome by `:target`, without its fragment in the URL: reloaded or shared, it would tell of the outcome again. */
export function showOutcome(anchor: string): void {
  location.hash = anchor;
  history.replaceState(history.state, '', location.pathname + location.search);
}

function removeFragment(): void {
  // Only a navigation resets :target, and only one to an unknown id does not scroll.
  location.replace('#-');
  history.replaceState(history.state, '', location.pathname + location.search);
}
