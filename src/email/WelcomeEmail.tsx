import type { CSSProperties, ReactNode } from 'react';
import { emailSocial, site, social, signUp } from '../site.ts';

/** One ink on two papers: the light one inline, where every client reads it, the dark one in the style sheet. */
const light = {
  paper: '#f5f2ea',
  panel: '#ffffff',
  ink: '#17181c',
  quiet: '#4b4d55',
  link: '#8a5600',
  lamp: '#ffb224',
};
const dark = { paper: '#101114', panel: '#191b20', ink: '#f5f2ea', quiet: '#b9bac0', link: '#ffc557' };

const font = 'Helvetica, Arial, sans-serif';

/** What a narrow screen and a dark scheme change. A client that drops it shows the light message at full width. */
export const welcomeStyles = [
  `@media (max-width:600px){.welcome-cell{padding-left:20px!important;padding-right:20px!important}.welcome-title{font-size:30px!important;line-height:34px!important}}`,
  `@media (prefers-color-scheme:dark){.welcome-paper{background-color:${dark.paper}!important}.welcome-panel{background-color:${dark.panel}!important}.welcome-ink{color:${dark.ink}!important}.welcome-quiet{color:${dark.quiet}!important}.welcome-link{color:${dark.link}!important}}`,
].join('');

const coming = [
  'Early access to creator storefronts',
  'XP boosts, featured slots and launch-day perks',
  'First access to updates and invites',
  'Tools to turn ideas into income',
];

const next = [
  'Join the Discord to meet early creators and earn XP.',
  'Follow us, so that you hear of the first drops before the crowd does.',
  'Prepare your first drop: a script, a mission, a mod, a voice pack, a UI kit, a story.',
];

interface WelcomeProps {
  /** The member's address, shown as it is. */
  address: string;
  unsubscribeAddress: string;
  /** `_blank` in an inbox; `_self` on the site's own welcome page. */
  linkTarget: '_blank' | '_self';
}

/** The welcome e-mail as a whole document. */
export function WelcomeEmail(props: WelcomeProps) {
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{signUp.subject}</title>
        <style>{welcomeStyles}</style>
      </head>
      <body className="welcome-paper" style={{ margin: 0, padding: 0, backgroundColor: light.paper }}>
        <div style={{ display: 'none', overflow: 'hidden', maxHeight: 0 }} data-skip-in-text="true">
          {`You are on the ${site.name} waitlist. Here is what is coming and what to do now.`}
        </div>
        <WelcomeMessage {...props} />
      </body>
    </html>
  );
}

/** The welcome e-mail without the document around it, for the page that shows it. */
export function WelcomeMessage({ address, unsubscribeAddress, linkTarget }: WelcomeProps) {
  return (
    <Table className="welcome-paper" style={{ backgroundColor: light.paper }}>
      <tr>
        <td align="center" style={{ padding: 0 }}>
          <Table style={{ maxWidth: '600px', fontFamily: font, textAlign: 'left' }}>
            <Band style={{ backgroundColor: light.lamp, borderBottom: `6px dashed ${light.ink}` }}>
              <h1 className="welcome-title" style={{ ...headingStyle, fontSize: '38px', lineHeight: '42px' }}>
                {`Welcome to ${site.name}`}
              </h1>
              <p
                style={{
                  margin: '6px 0 0',
                  color: light.ink,
                  fontSize: '18px',
                  lineHeight: '26px',
                  fontWeight: 'bold',
                }}
              >
                Let the Hustle begin
              </p>
            </Band>
            <Band className="welcome-panel" style={{ backgroundColor: light.panel }}>
              <Words>
                {`You are on the list. ${site.name} is the yard where roleplay creators will drop original work and get paid for it. You will hear from us before anyone outside does.`}
              </Words>
              <p className="welcome-member welcome-ink" style={{ ...textStyle, color: light.ink }}>
                On the list as:{' '}
                <strong className="welcome-address" style={{ wordBreak: 'break-all' }}>
                  {address}
                </strong>
              </p>
              <Heading>What is coming</Heading>
              <List lines={coming} />
              <Heading>What to do now</Heading>
              <List lines={next} />
              <Table style={{ width: 'auto' }}>
                <tr>
                  <td style={{ padding: '14px 26px', backgroundColor: light.lamp }}>
                    <a href={social.discord.link} target={linkTarget} style={actionStyle}>
                      Join Discord
                    </a>
                  </td>
                </tr>
              </Table>
            </Band>
            <Band>
              <Words>
                {emailSocial.map(({ label, link }, index) => (
                  <span key={label}>
                    {index > 0 && ' · '}
                    <Link href={link} target={linkTarget}>
                      {label}
                    </Link>
                  </span>
                ))}
              </Words>
              <Words isSmall>
                {`You got this message because this address was entered on the ${site.name} waitlist. `}
                <Link href={`mailto:${unsubscribeAddress}?subject=Unsubscribe`} target={linkTarget}>
                  Unsubscribe
                </Link>
              </Words>
              <Words isSmall>{site.independenceNotice}</Words>
            </Band>
          </Table>
        </td>
      </tr>
    </Table>
  );
}

const textStyle: CSSProperties = {
  margin: '0 0 16px',
  color: light.quiet,
  fontSize: '16px',
  lineHeight: '25px',
};
const headingStyle: CSSProperties = { margin: 0, color: light.ink, fontFamily: font, fontWeight: 'bold' };
const actionStyle: CSSProperties = {
  color: light.ink,
  fontSize: '17px',
  lineHeight: '22px',
  fontWeight: 'bold',
  textDecoration: 'none',
};

/** A table that only lays out: e-mail clients lay out with nothing else. */
function Table({
  className,
  style,
  children,
}: {
  className?: string;
  style?: CSSProperties;
  children: ReactNode;
}) {
  return (
    <table
      role="presentation"
      width={style?.width === 'auto' ? undefined : '100%'}
      cellPadding={0}
      cellSpacing={0}
      border={0}
      className={className}
      style={style}
    >
      <tbody>{children}</tbody>
    </table>
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
      <td className={`welcome-cell ${className}`.trim()} style={{ padding: '28px 40px', ...style }}>
        {children}
      </td>
    </tr>
  );
}

function Heading({ children }: { children: string }) {
  return (
    <h2
      className="welcome-ink"
      style={{ ...headingStyle, padding: '10px 0 8px', fontSize: '20px', lineHeight: '26px' }}
    >
      {children}
    </h2>
  );
}

function Words({ isSmall, children }: { isSmall?: boolean; children: ReactNode }) {
  const small = isSmall && { fontSize: '14px', lineHeight: '22px' };
  return (
    <p className="welcome-quiet" style={{ ...textStyle, ...small }}>
      {children}
    </p>
  );
}

function List({ lines }: { lines: string[] }) {
  return (
    <ul style={{ ...textStyle, padding: '0 0 0 20px', listStyleType: 'disc' }}>
      {lines.map((line) => (
        <li key={line} className="welcome-quiet" style={{ margin: '0 0 8px', color: light.quiet }}>
          {line}
        </li>
      ))}
    </ul>
  );
}

function Link({ href, target, children }: { href: string; target: string; children: string }) {
  return (
    <a
      className="welcome-link"
      href={href}
      target={target}
      style={{ color: light.link, textDecoration: 'underline' }}
    >
      {children}
    </a>
  );
}
