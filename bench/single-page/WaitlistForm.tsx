import { createClient } from '@supabase/supabase-js';
import { type SubmitEvent, useState } from 'react';
import type { Content } from '../content.ts';

const supabase = createClient(location.origin, 'sb_publishable_bench');

interface WaitlistFormProps {
  name: string;
  words: Content['form'];
  onJoin(): void;
}

/** The sign-up as such applications do it: the call, then the insert, with the client in the first bundle. */
export function WaitlistForm({ name, words, onJoin }: WaitlistFormProps) {
  const [isSending, setIsSending] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email_address'));
    setIsSending(true);
    const response = await fetch('/functions/v1/resend-email', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ to: email }),
    });
    if (response.ok) {
      await supabase.from('waitlist_emails').insert([{ email }]);
      form.reset();
      onJoin();
    }
    setIsSending(false);
  }

  const id = `${name}-email`;
  return (
    <form onSubmit={submit}>
      <label htmlFor={id}>{words.label}</label>
      <div className="row">
        <input
          id={id}
          type="email"
          name="email_address"
          required
          autoComplete="email"
          placeholder={words.placeholder}
        />
        <button disabled={isSending}>{isSending ? words.sending : words.action}</button>
      </div>
      <p>
        {words.consent} <a href="/privacy-policy">{words.consentLink}</a>.
      </p>
    </form>
  );
}
