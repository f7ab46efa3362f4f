import { emailSocial, social } from '../config/site.ts';
import type { Fields } from '../content-model/collections.ts';
import { EmailDocument, EmailFrame } from './EmailFrame.tsx';
import { Action, Heading, Link, LinkTarget, List, Paragraph } from './EmailText.tsx';

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
  const { heading, tagline } = words;
  const unsubscribeUrl = `mailto:${unsubscribeAddress}?subject=Unsubscribe`;
  const frame = { words, siteUrl, address, unsubscribeUrl, heading, tagline };
  const link = (href: string, label: string) => <Link href={href}>{label}</Link>;
  const steps = [
    link(social.discord.link, words.nextDiscord),
    ...(emailSocial.length > 1 ? [words.nextSocial] : []),
    link(siteUrl + words.nextDropLink, words.nextDrop),
  ];
  return (
    <LinkTarget value={linkTarget ?? '_blank'}>
      <EmailFrame {...frame}>
        <Paragraph size="large">{words.intro}</Paragraph>
        <Action href={social.discord.link}>{words.action}</Action>
        <Heading>{words.comingHeading}</Heading>
        <List lines={words.coming} />
        <Heading>{words.nextHeading}</Heading>
        <List start={1} lines={steps} />
        <Paragraph>{words.forward}</Paragraph>
      </EmailFrame>
    </LinkTarget>
  );
}
