import type { z } from 'astro/zod';
import { signUp, social } from '../site.ts';
import type { kinds } from '../words/kinds.ts';
import { EmailDocument, EmailFrame } from './EmailFrame.tsx';
import { Action, Heading, light, List, Paragraph, textStyle } from './EmailText.tsx';

interface WelcomeProps {
  /** The fields of content/email/welcome.mdx. */
  words: z.output<typeof kinds.welcomeEmail.schema>;
  /** The member's address, shown as it is. */
  address: string;
  unsubscribeAddress: string;
  /** `_blank` in an inbox; `_self` on the site's own welcome page. */
  linkTarget: '_blank' | '_self';
}

/** The welcome e-mail as a whole document. */
export function WelcomeEmail(props: WelcomeProps) {
  return (
    <EmailDocument subject={signUp.subject} preview={props.words.preview}>
      <WelcomeMessage {...props} />
    </EmailDocument>
  );
}

/** The welcome e-mail without the document around it, for the page that shows it. */
export function WelcomeMessage({ words, address, ...frame }: WelcomeProps) {
  return (
    <EmailFrame {...words} {...frame}>
      <Paragraph>{words.intro}</Paragraph>
      <p className="welcome-member welcome-ink" style={{ ...textStyle, color: light.ink }}>
        {words.member}{' '}
        <strong className="welcome-address" style={{ wordBreak: 'break-all' }}>
          {address}
        </strong>
      </p>
      <Heading>{words.comingHeading}</Heading>
      <List lines={words.coming} />
      <Heading>{words.nextHeading}</Heading>
      <List lines={words.next} />
      <Action href={social.discord.link} target={frame.linkTarget}>
        {words.action}
      </Action>
    </EmailFrame>
  );
}
