import { Body, Button, Container, Head, Heading, Hr, Html, Link, Section, Text } from 'react-email';
import { emailSocial, site, social, signUp } from '../site.ts';

const color = {
  night: '#101114',
  panel: '#1a1c21',
  line: '#34373f',
  chalk: '#f5f2ea',
  smoke: '#b9bac0',
  lamp: '#ffb224',
};

const font = "'Helvetica Neue', Helvetica, Arial, sans-serif";

const text = { margin: '0 0 16px', color: color.smoke, fontSize: '16px', lineHeight: '25px' };
const heading = {
  fontFamily: font,
  margin: '0 0 12px',
  color: color.chalk,
  fontSize: '20px',
  lineHeight: '26px',
};
const item = { ...text, margin: '0 0 10px', paddingLeft: '14px', borderLeft: `3px solid ${color.lamp}` };
const link = { color: color.lamp, textDecoration: 'underline' };

/** What one breakpoint changes on a narrow screen; everything else is inline, where every client reads it. */
export const welcomeStyles =
  '@media (max-width:600px){.welcome-section{padding-left:20px!important;padding-right:20px!important}.welcome-title{font-size:30px!important;line-height:34px!important}}';

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
    <Html lang="en" dir="ltr">
      <Head>
        <title>{signUp.subject}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark" />
        <meta name="supported-color-schemes" content="dark" />
        <style>{welcomeStyles}</style>
      </Head>
      <Body style={{ margin: 0, padding: 0, backgroundColor: color.night }}>
        <div style={{ display: 'none', overflow: 'hidden', maxHeight: 0 }} data-skip-in-text="true">
          {`You are on the ${site.name} waitlist. Here is what is coming and what to do now.`}
        </div>
        <WelcomeMessage {...props} />
      </Body>
    </Html>
  );
}

/** The welcome e-mail without the document around it, for the page that shows it. */
export function WelcomeMessage({ address, unsubscribeAddress, linkTarget }: WelcomeProps) {
  const padding = { padding: '28px 40px' };
  return (
    <Container
      style={{
        width: '100%',
        maxWidth: '600px',
        backgroundColor: color.panel,
        fontFamily: font,
        textAlign: 'left',
      }}
    >
      <Section
        className="welcome-section"
        style={{ ...padding, backgroundColor: color.lamp, borderBottom: `6px solid ${color.night}` }}
      >
        <Heading
          as="h1"
          className="welcome-title"
          style={{
            margin: 0,
            color: color.night,
            fontFamily: font,
            fontSize: '38px',
            lineHeight: '42px',
            fontWeight: 800,
          }}
        >
          {`Welcome to ${site.name}`}
        </Heading>
        <Text
          style={{
            margin: '6px 0 0',
            color: color.night,
            fontSize: '18px',
            lineHeight: '26px',
            fontWeight: 600,
          }}
        >
          Let the Hustle begin
        </Text>
      </Section>
      <Section className="welcome-section" style={padding}>
        <Text style={text}>
          {`You are on the list. ${site.name} is the yard where roleplay creators will drop original work and get paid for it. You will hear from us before anyone outside does.`}
        </Text>
        <Text className="welcome-member" style={{ ...text, color: color.chalk }}>
          On the list as: <strong className="welcome-address">{address}</strong>
        </Text>
        <Heading as="h2" style={{ ...heading, paddingTop: '8px' }}>
          What is coming
        </Heading>
        {coming.map((line) => (
          <Text key={line} style={item}>
            {line}
          </Text>
        ))}
        <Heading as="h2" style={{ ...heading, paddingTop: '18px' }}>
          What to do now
        </Heading>
        {next.map((line) => (
          <Text key={line} style={item}>
            {line}
          </Text>
        ))}
        <Button
          href={social.discord.link}
          target={linkTarget}
          style={{
            margin: '16px 0 8px',
            padding: '14px 26px',
            backgroundColor: color.lamp,
            color: color.night,
            fontSize: '17px',
            fontWeight: 700,
          }}
        >
          Join Discord
        </Button>
      </Section>
      <Section className="welcome-section" style={{ ...padding, backgroundColor: color.night }}>
        <Text style={text}>
          {emailSocial.map(({ label, link: href }, index) => (
            <span key={label}>
              {index > 0 && ' · '}
              <Link href={href} target={linkTarget} style={link}>
                {label}
              </Link>
            </span>
          ))}
        </Text>
        <Hr style={{ margin: '0 0 16px', border: 0, borderTop: `1px solid ${color.line}` }} />
        <Text style={{ ...text, fontSize: '14px', lineHeight: '22px' }}>
          {`You got this message because this address was entered on the ${site.name} waitlist. `}
          <Link href={`mailto:${unsubscribeAddress}?subject=Unsubscribe`} target={linkTarget} style={link}>
            Unsubscribe
          </Link>
        </Text>
        <Text style={{ ...text, margin: 0, fontSize: '14px', lineHeight: '22px' }}>
          {site.independenceNotice}
        </Text>
      </Section>
    </Container>
  );
}
