import { type SubmitEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { deployment, hasFailureNotice } from '~/deployment';
import { pages } from '~/site';
import { joinFromForm } from '~/waitlist/join-from-form';
import { openSuccessModal } from './SuccessModal';

interface WaitlistFormProps {
  /** A unique name for the form on its page. */
  name: string;
  words: {
    label: string;
    placeholder: string;
    action: string;
    sending: string;
    consent: string;
    consentLink: string;
  };
  /** The notice of a failed sign-up, if the deployment shows one. */
  failure?: string;
}

type FormState = 'idle' | 'submitting' | 'joined' | 'failed';

/** The sign-up form. Before hydration it is a plain form that posts to the email function. */
export default function WaitlistForm({ name, words, failure }: WaitlistFormProps) {
  const [state, setState] = useState<FormState>('idle');

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state === 'submitting') return;
    const form = event.currentTarget;
    const active = document.activeElement as HTMLElement;
    // Some browsers do not focus a clicked button.
    const focused = form.contains(active) ? active : form.querySelector('button');
    // Synchronously, so that a second submit in the same task sees it.
    flushSync(() => setState('submitting'));
    // A disabled button loses the focus, and Tab would start again at the top of the page.
    if (focused?.matches(':disabled')) form.focus({ preventScroll: true });
    const outcome = await joinFromForm(form);
    // Synchronously, so that the button can take the focus again.
    flushSync(() => setState(outcome));
    const hasLostFocus = [document.body, form].includes(document.activeElement as HTMLElement);
    if (hasLostFocus) focused?.focus({ preventScroll: true });
    if (outcome === 'failed') return;
    form.reset();
    openSuccessModal();
  }

  const fieldId = `${name}-email`;
  const consentId = `${name}-consent`;
  const failureId = `${name}-failure`;
  return (
    <form
      className="waitlist-form"
      action={deployment.emailFunctionUrl}
      method="post"
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
          inputMode="email"
          enterKeyHint="send"
          placeholder={words.placeholder}
          aria-describedby={hasFailureNotice ? `${failureId} ${consentId}` : consentId}
        />
        <button
          className="action"
          type="submit"
          disabled={state === 'submitting'}
          data-sending={words.sending}
        >
          {state === 'submitting' ? words.sending : words.action}
        </button>
      </div>
      {/* A separate status, because assistive technology does not announce changes inside a button. */}
      <p role="status" className="visually-hidden">
        {state === 'submitting' && words.sending}
      </p>
      {hasFailureNotice && (
        // Always in the page, because a screen reader announces changes only in a status that was there before.
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
