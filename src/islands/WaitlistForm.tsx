import { type SubmitEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { deployment, hasFailureNotice } from '~/deployment';
import { pages } from '~/site';
import { joinWaitlist } from '~/waitlist/join-waitlist';
import { fetchClient, saveEntry } from '~/waitlist/save-entry';
import { fetchTemplate, sendWelcome } from '~/waitlist/send-welcome';
import { openSuccessModal } from './SuccessModal';

interface WaitlistFormProps {
  /** Tells the forms of one page apart. */
  name: string;
  words: {
    label: string;
    placeholder: string;
    action: string;
    sending: string;
    consent: string;
    consentLink: string;
  };
  /** What is shown when a sign-up failed, in a deployment that shows it. */
  failure?: string;
}

type FormState = 'idle' | 'submitting' | 'joined' | 'failed';

/** The sign-up. Without hydration it is a form that the e-mail function takes as it is. */
export default function WaitlistForm({ name, words, failure }: WaitlistFormProps) {
  const [state, setState] = useState<FormState>('idle');
  const stateNow = useRef<FormState>('idle');
  const focused = useRef<HTMLElement>(null);

  function change(next: FormState) {
    // Two submits in one task would both see the state of the last rendering.
    stateNow.current = next;
    // At once, so that the button can take the focus again.
    flushSync(() => setState(next));
  }

  /** Not at the first sign of use: what only the submit needs would keep the form itself waiting. */
  function prepare() {
    for (const fetch of [fetchTemplate, fetchClient]) fetch().catch(() => {});
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (stateNow.current === 'submitting') return;
    const form = event.currentTarget;
    const address = String(new FormData(form).get('email_address')).trim();
    const active = document.activeElement as HTMLElement;
    // Not every browser gives the focus to a button that is clicked.
    focused.current = form.contains(active) ? active : form.querySelector('button');
    change('submitting');
    // A disabled button loses the focus, and a keyboard would start again at the top of the page.
    if (focused.current?.matches(':disabled')) form.focus({ preventScroll: true });
    const outcome = await joinWaitlist(address, { sendWelcome, saveEntry, log: console });
    if (outcome === 'joined') {
      form.reset();
      change('joined');
      openSuccessModal(returnFocus);
    } else {
      change('failed');
      if ([document.body, form].includes(document.activeElement as HTMLElement)) returnFocus();
    }
  }

  function returnFocus() {
    focused.current?.focus({ preventScroll: true });
  }

  const fieldId = `${name}-email`;
  const consentId = `${name}-consent`;
  const failureId = `${name}-failure`;
  return (
    <form
      className="waitlist-form"
      action={deployment.emailFunctionUrl}
      method="post"
      onInput={prepare}
      onSubmit={submit}
      tabIndex={state === 'submitting' ? -1 : undefined}
    >
      <input type="hidden" name="apikey" value={deployment.publicKey} />
      <label htmlFor={fieldId}>{words.label}</label>
      <div className="waitlist-form-row">
        <input
          id={fieldId}
          type="email"
          name="email_address"
          required
          autoComplete="email"
          placeholder={words.placeholder}
          aria-describedby={hasFailureNotice ? `${failureId} ${consentId}` : consentId}
        />
        <button className="action" type="submit" disabled={state === 'submitting'}>
          {state === 'submitting' ? words.sending : words.action}
        </button>
      </div>
      {/* Not the button itself: what is inside of a button, assistive technology does not listen to. */}
      <p role="status" className="visually-hidden">
        {state === 'submitting' && words.sending}
      </p>
      {hasFailureNotice && (
        // Always there: a screen reader listens only to a place that it knows.
        <p id={failureId} className="waitlist-form-failure" role="status">
          {state === 'failed' && failure}
        </p>
      )}
      <p id={consentId} className="waitlist-form-consent">
        {words.consent} <a href={pages.privacy.link}>{words.consentLink}</a>.
      </p>
    </form>
  );
}
