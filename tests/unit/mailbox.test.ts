import { describe, expect, it } from 'vitest';
import { readMailbox } from '../../functions/_shared/mailbox.ts';

describe('the mailbox', () => {
  it.each([
    ['n.ame@example.com', ['n.ame@example.com', 'n.ame+a+b@example.com']],
    ['name@gmail.com', ['n.a.m.e+tag@gmail.com', 'na.me@googlemail.com']],
    ['name@gmail.com.example.com', ['name+tag@gmail.com.example.com']],
    ['+49170@example.com', ['+49170@example.com', '+49170+tag@example.com']],
  ])('%s has the spellings %j', (mailbox, spellings) => {
    for (const email of spellings) expect(readMailbox(email)).toBe(mailbox);
  });

  it('differs for each test address of Resend, so that nobody can use up the cap of a probe', () => {
    expect(readMailbox('delivered+probe-1@resend.dev')).toBe('delivered+probe-1@resend.dev');
    expect(readMailbox('name+tag@resend.dev.example.com')).toBe('name@resend.dev.example.com');
  });
});
