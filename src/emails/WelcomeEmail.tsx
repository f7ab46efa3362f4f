import { useContext } from 'react';
import { anchors, emailSocial, social } from '../config/site.ts';
import type { Fields } from '../content-model/collections.ts';
import { EmailDocument, EmailFrame } from './EmailFrame.tsx';
import { Action, Heading, headingStyle, light, Link, LinkTarget, List, Paragraph } from './EmailText.tsx';

interface WelcomeProps {
  words: Fields<'welcomeEmail'>;
  address: string;
  unsubscribeAddress: string;
  /** Without a slash at its end. Empty for links within the site. */
  siteUrl: string;
  /** On the site's own welcome page. In an inbox, links open a new tab. */
  linkTarget?: '_self';
}

export function WelcomeEmail(props: WelcomeProps) {
  return (
    <EmailDocument subject={props.words.subject} preview={props.words.preview}>
      <WelcomeMessage {...props} />
    </EmailDocument>
  );
}

/** The welcome email without the document around it, for the page that shows it. */
export function WelcomeMessage({ words, address, unsubscribeAddress, siteUrl, linkTarget }: WelcomeProps) {
  const link = (href: string, label: string) => <Link href={href}>{label}</Link>;
  return (
    <LinkTarget value={linkTarget ?? '_blank'}>
      <EmailFrame
        words={words}
        siteUrl={siteUrl}
        heading={words.heading}
        tagline={words.tagline}
        unsubscribeUrl={`mailto:${unsubscribeAddress}?subject=Unsubscribe`}
        pass={<Pass words={words} address={address} />}
      >
        <Paragraph size="large">{words.intro}</Paragraph>
        <Action href={social.discord.link}>{words.action}</Action>
        <Heading>{words.comingHeading}</Heading>
        <List lines={words.coming} />
        <Heading>{words.nextHeading}</Heading>
        <List
          isNumbered
          lines={[
            link(social.discord.link, words.nextDiscord),
            ...(emailSocial.length > 1 ? [words.nextSocial] : []),
            link(`${siteUrl}/${anchors.faq}`, words.nextDrop),
          ]}
        />
      </EmailFrame>
    </LinkTarget>
  );
}

const addressStyle = {
  display: 'inline-block',
  fontWeight: 'bold',
  textDecoration: 'underline',
  wordBreak: 'break-all',
} as const;

/** What the member's ticket is good for, and whose it is. */
function Pass({ words, address }: Pick<WelcomeProps, 'words' | 'address'>) {
  return (
    <p style={{ margin: 0, color: light.ink, fontSize: '16px', lineHeight: '24px' }}>
      <strong style={{ ...headingStyle, fontSize: '23px', lineHeight: '32px' }}>{words.pass}</strong>
      <span className="welcome-member">
        <br />
        {words.member} {/* A link of our own: mail programs would make it one, and blue. */}
        <a
          className="welcome-address"
          href={`mailto:${address}`}
          target={useContext(LinkTarget)}
          style={{ ...addressStyle, color: light.ink }}
        >
          {address}
        </a>
      </span>
    </p>
  );
}
