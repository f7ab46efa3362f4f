import type { CSSProperties, ReactNode } from 'react';
import { emailSocial, site } from '../site.ts';
import { readToken } from '../styles/tokens.ts';
import {
  Blank,
  font,
  headingStyle,
  light,
  Link,
  type LinkProps,
  Paragraph,
  Plate,
  Table,
} from './EmailText.tsx';
import { Ticket } from './Ticket.tsx';

const dark = {
  paper: readToken('surface'),
  panel: readToken('surface-raised'),
  ink: readToken('text'),
  quiet: readToken('text-quiet'),
  link: readToken('accent'),
};

/** Styles for narrow screens and dark schemes. A client that drops them shows the light message at full width. */
export const emailStyles = [
  `@media (max-width:600px){.email-cell{padding-left:20px!important;padding-right:20px!important}.email-title{font-size:32px!important;line-height:36px!important}.email-stub{width:40px!important;padding:0 20px 0 9px!important}.email-action{width:100%!important}}`,
  `@media (prefers-color-scheme:dark){.email-paper{background-color:${dark.paper}!important}.email-panel{background-color:${dark.panel}!important}.email-ink{color:${dark.ink}!important}.email-quiet{color:${dark.quiet}!important}.email-link{color:${dark.link}!important}}`,
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
        <meta name="supported-color-schemes" content="light dark" />
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
  heading: string;
  tagline?: string;
  reason: string;
  unsubscribe: string;
  unsubscribeUrl: string;
  linkTarget: LinkProps['target'];
  /** What the ticket is good for, below its title. */
  pass?: ReactNode;
  children: ReactNode;
}

/**
 * The frame of every message to a member: the mark and a ticket with the title above the text, and the social links, the
 * reason and the unsubscribe link below it.
 */
export function EmailFrame(props: FrameProps) {
  const { heading, tagline, reason, unsubscribe, unsubscribeUrl, linkTarget, pass, children } = props;
  return (
    <Table className="email-paper" style={{ backgroundColor: light.paper }}>
      <tr>
        <td align="center" style={{ padding: 0 }}>
          <Table style={{ maxWidth: '600px', fontFamily: font, textAlign: 'left', wordBreak: 'break-word' }}>
            <Band
              style={{
                padding: '16px 40px',
                borderTop: `6px dashed ${light.lamp}`,
                backgroundColor: light.steel,
              }}
            >
              <Mark />
            </Band>
            <Ticket>
              <h1 className="email-title" style={{ ...headingStyle, fontSize: '44px', lineHeight: '48px' }}>
                {heading}
              </h1>
              {tagline && (
                <p
                  style={{
                    margin: '6px 0 0',
                    color: light.ink,
                    fontSize: '22px',
                    lineHeight: '28px',
                    fontWeight: 'bold',
                  }}
                >
                  {tagline}
                </p>
              )}
              {pass}
            </Ticket>
            <Band className="email-panel" style={{ backgroundColor: light.panel }}>
              {children}
            </Band>
            <Band>
              <Paragraph size="small">
                {emailSocial.map(({ label, link }) => (
                  <span
                    key={label}
                    className="email-social"
                    style={{ display: 'inline-block', padding: '10px 16px 10px 0' }}
                  >
                    <Link href={link} target={linkTarget}>
                      {label}
                    </Link>{' '}
                  </span>
                ))}
              </Paragraph>
              <Paragraph size="small">
                {`${reason} `}
                <Link href={unsubscribeUrl} target={linkTarget}>
                  {unsubscribe}
                </Link>
              </Paragraph>
              <Paragraph size="small">{site.independenceNotice}</Paragraph>
            </Band>
          </Table>
        </td>
      </tr>
    </Table>
  );
}

/** The logo, made of table cells, so that clients that block images show it too. */
function Mark() {
  const head = {
    border: `solid ${light.lamp}`,
    borderWidth: '9px 9px 0',
    borderTopColor: light.ink,
  };
  return (
    <Table style={{ width: 'auto' }}>
      <tr data-skip-in-text="true">
        <td style={{ padding: 0 }}>
          <Plate height={36} notch={12} surface={{ color: light.steel }}>
            <td rowSpan={3} align="center" style={{ padding: '0 8px' }}>
              <Table style={{ width: 'auto' }}>
                <tr>
                  <td align="center" style={{ padding: 0 }}>
                    <Table style={{ width: 'auto' }}>
                      <tr>
                        <Blank width={6} height={7} style={{ backgroundColor: light.ink }} />
                      </tr>
                    </Table>
                  </td>
                </tr>
                <tr>
                  <Blank height={0} style={head} />
                </tr>
                <tr>
                  <Blank height={3} style={{ borderBottom: `3px solid ${light.ink}` }} />
                </tr>
              </Table>
            </td>
          </Plate>
        </td>
        <td
          style={{
            ...headingStyle,
            padding: '0 12px',
            color: light.panel,
            fontSize: '28px',
            lineHeight: '36px',
          }}
        >
          {site.name}
        </td>
      </tr>
    </Table>
  );
}

function Band({
  className = '',
  style,
  children,
}: {
  className?: string;
  style?: CSSProperties;
  children: ReactNode;
}) {
  return (
    <tr>
      <td className={`email-cell ${className}`.trim()} style={{ padding: '28px 40px', ...style }}>
        {children}
      </td>
    </tr>
  );
}
