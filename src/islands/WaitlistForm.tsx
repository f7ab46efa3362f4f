import type { ReactNode, SubmitEvent, SyntheticEvent } from 'react';
import { deployment, hasFailureNotice } from '~/config/deployment';
import { join, readEmail } from '~/waitlist/join';
import { anchors } from '~/config/site';
import { normalizeAddress } from '../../shared/email-address.ts';
import { announceHydration } from './announce-hydration';
import { findButton, showSending } from './sending-button';
import { openSuccessModal, showOutcome } from './open-success-modal';

/** Signs visitors up on the page. Before hydration, the form inside is a plain form that posts to the email function. */
export default function WaitlistForm({ children }: { children?: ReactNode }) {
  async function submit(event: SubmitEvent<HTMLDivElement>) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const button = findButton(form);
    if (button.disabled) return;
    const active = document.activeElement as HTMLElement;
    // Some browsers do not focus a clicked button. Otherwise, the focus is where the visitor went while the submit was held.
    const focused = active === document.body ? button : active;
    showSending(form, true);
    // A disabled button loses the focus, and Tab would start again at the top of the page.
    if (focused === button) form.focus({ preventScroll: true });
    if (hasFailureNotice) showFailure(form, false);
    const email = readEmail(form);
    const outcome = await join(email);
    showSending(form, false);
    const hasLostFocus = [document.body, form].includes(document.activeElement as HTMLElement);
    if (hasLostFocus) focused.focus({ preventScroll: true });
    if (outcome === 'joined') {
      // A visitor may have corrected the address meanwhile.
      if (readEmail(form) === email) form.reset();
      openSuccessModal(email);
    } else if (outcome === 'closed') showOutcome(anchors.closed);
    else if (hasFailureNotice) showFailure(form, true);
    // The function does not answer pages of other origins, such as a copy of this one. A native form leads the visitor to the site.
    else if (outcome === 'unanswered' && location.origin !== deployment.siteUrl) form.submit();
  }

  return (
    <div className="island" ref={announceHydration} onSubmit={submit} onInvalidCapture={normalize}>
      {children}
    </div>
  );
}

/** Sends a form again without invisible characters, and with an international domain in ASCII: Safari refuses it as typed. */
function normalize(event: SyntheticEvent): void {
  const field = event.target as HTMLInputElement;
  const email = normalizeAddress(field.value);
  if (email === field.value) return;
  event.preventDefault();
  field.value = email;
  // After the submit that failed: a form ignores one inside another.
  setTimeout(() => findButton(field.form!).click());
}

function showFailure(form: HTMLFormElement, hasFailed: boolean): void {
  const notice = form.querySelector<HTMLElement>('[data-failure]')!;
  notice.textContent = hasFailed ? notice.dataset['failure']! : '';
}
