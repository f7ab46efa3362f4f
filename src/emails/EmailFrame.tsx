import { type CSSProperties, type ReactNode, useContext } from 'react';
import { emailSocial, pages, site } from '../config/site.ts';
import type { Fields } from '../content-model/collections.ts';
import { readToken } from '../styles/tokens.ts';
import { Band, font, headingStyle, light, Link, LinkTarget, Paragraph, Table } from './EmailText.tsx';

const dark = {
  paper: readToken('surface'),
  panel: readToken('surface-raised'),
  ink: readToken('text'),
  quiet: readToken('text-quiet'),
  link: readToken('accent'),
};

/** Styles for narrow screens and dark schemes. A client that drops them shows the light message at full width. */
export const emailStyles = [
  `@media (max-width:600px){.email-cell{padding-left:20px!important;padding-right:20px!important}.email-title{font-size:32px!important;line-height:36px!important}.email-action{width:100%!important}}`,
  `@media (prefers-color-scheme:dark){.email-paper{background-color:${dark.paper}!important}.email-panel{background-color:${dark.panel}!important}.email-torn{border-bottom-color:${dark.panel}!important}.email-ink{color:${dark.ink}!important}.email-quiet{color:${dark.quiet}!important}.email-link{color:${dark.link}!important}}`,
].join('');

interface DocumentProps {
  subject: string;
  /** The line that an inbox shows after the subject. */
  preview: string;
  children: ReactNode;
}

export function EmailDocument({ subject, preview, children }: DocumentProps) {
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
        <style>{emailStyles}</style>
      </head>
      <body className="email-paper" style={{ margin: 0, padding: 0, backgroundColor: light.paper }}>
        <div style={{ display: 'none', overflow: 'hidden', maxHeight: 0 }} data-skip-in-text="true">
          {preview}
        </div>
        {children}
      </body>
    </html>
  );
}

interface FrameProps {
  /** The last lines of every message are those of the welcome email. */
  words: Fields<'welcomeEmail'>;
  /** Without a slash at its end. */
  siteUrl: string;
  heading: string;
  tagline?: string;
  unsubscribeUrl: string;
  /** The member's email address, on the ticket. */
  address: string;
  children: ReactNode;
}

/**
 * The frame of every message to a member: the logo and a ticket with the title above the text, and the social links, the
 * reason and the unsubscribe link below it.
 */
export function EmailFrame(props: FrameProps) {
  return (
    <Table className="email-paper" width="100%" style={{ backgroundColor: light.paper }}>
      <tr>
        <td align="center" style={{ padding: 0 }}>
          <Table
            width="600"
            style={{
              width: '100%',
              maxWidth: '600px',
              fontFamily: font,
              textAlign: 'left',
              wordBreak: 'break-word',
              textWrap: 'balance',
            }}
          >
            <Logo {...props} />
            <TitleTicket {...props} />
            <Band className="email-panel" style={{ backgroundColor: light.panel }}>
              {props.children}
            </Band>
            <LastLines {...props} />
          </Table>
        </td>
      </tr>
    </Table>
  );
}

/** Below a hazard edge. The mark is a background, at the end: a program that hides pictures shows no frame and no gap. */
function Logo({ siteUrl }: FrameProps) {
  const mark = { background: `url(${siteUrl}/mark.png) 100% / 36px no-repeat` };
  return (
    <Band
      style={{ padding: '16px 40px', borderTop: `6px dashed ${light.lamp}`, backgroundColor: light.steel }}
    >
      <a
        href={`${siteUrl}/`}
        target={useContext(LinkTarget)}
        style={{ ...logoStyle, ...mark }}
        data-skip-in-text="true"
      >
        {site.name}
      </a>
    </Band>
  );
}

function TitleTicket(props: FrameProps) {
  const { heading, tagline } = props;
  return (
    <>
      <Band style={{ padding: '24px 40px 16px', backgroundColor: light.lamp }}>
        <h1 className="email-title" style={{ ...headingStyle, fontSize: '44px', lineHeight: '48px' }}>
          {heading}
        </h1>
        {tagline && (
          <p style={{ ...headingStyle, padding: '6px 0 0', fontSize: '22px', lineHeight: '28px' }}>
            {tagline}
          </p>
        )}
      </Band>
      <Band
        className="email-torn"
        style={{
          padding: '16px 40px',
          borderTop: `2px dashed ${light.ink}`,
          borderBottom: `12px dotted ${light.panel}`,
          backgroundColor: light.lamp,
        }}
      >
        <Pass {...props} />
      </Band>
    </>
  );
}

const addressStyle = {
  display: 'inline-block',
  fontWeight: 'bold',
  textDecoration: 'underline',
  wordBreak: 'break-all',
} as const;

/** What the ticket is good for, and the address of the member who holds it. */
function Pass({ words, address }: FrameProps) {
  return (
    <p style={{ margin: 0, color: light.ink, fontSize: '16px', lineHeight: '24px' }}>
      <strong style={{ ...headingStyle, fontSize: '23px', lineHeight: '32px' }}>{words.pass}</strong>
      <span className="welcome-member">
        <br />
        {words.member} {/* Mail programs would make it a link of their own, and blue. */}
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

function LastLines({ words, siteUrl, unsubscribeUrl }: FrameProps) {
  return (
    <Band>
      <Paragraph size="small">
        {emailSocial.map(({ label, link }) => (
          <span
            key={label}
            className="email-social"
            style={{ display: 'inline-block', padding: '10px 16px 10px 0' }}
          >
            <Link href={link}>{label}</Link>{' '}
          </span>
        ))}
      </Paragraph>
      <Paragraph size="small">
        {`${words.reason} `}
        <Link href={unsubscribeUrl}>{words.unsubscribe}</Link>
      </Paragraph>
      <Paragraph size="small">
        {`${words.reply} `}
        <Link href={`${siteUrl}${pages.support.link}`}>{words.replyLink}</Link>.
      </Paragraph>
      <Paragraph size="small">{site.independenceNotice}</Paragraph>
    </Band>
  );
}

const logoStyle: CSSProperties = {
  ...headingStyle,
  display: 'block',
  paddingRight: '48px', // a long name does not cover the mark
  color: light.panel,
  fontSize: '28px',
  lineHeight: '36px',
  textDecoration: 'none',
};
