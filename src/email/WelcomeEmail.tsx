import type { z } from 'astro/zod';
import { signUp, social } from '../site.ts';
import type { collections } from '../content-check/collections.ts';
import { EmailDocument, EmailFrame } from './EmailFrame.tsx';
import { Action, Heading, headingStyle, light, List, Paragraph, Table, textStyle } from './EmailText.tsx';

interface WelcomeProps {
  /** The fields of content/email/welcome.mdx. */
  words: z.output<typeof collections.welcomeEmail.schema>;
  /** The member's address, shown as given. */
  address: string;
  unsubscribeAddress: string;
  /** `_blank` in an inbox; `_self` on the site's own welcome page. */
  linkTarget: '_blank' | '_self';
}

/** The welcome email as a whole document. */
export function WelcomeEmail(props: WelcomeProps) {
  return (
    <EmailDocument subject={signUp.subject} preview={props.words.preview}>
      <WelcomeMessage {...props} />
    </EmailDocument>
  );
}

/** The welcome email without the document around it, for the page that shows it. */
export function WelcomeMessage({ words, address, unsubscribeAddress, linkTarget }: WelcomeProps) {
  const unsubscribeUrl = `mailto:${unsubscribeAddress}?subject=Unsubscribe`;
  const frame = { ...words, unsubscribeUrl, linkTarget };
  return (
    <EmailFrame {...frame} stub={<Pass words={words} address={address} />}>
      <Paragraph>{words.intro}</Paragraph>
      <Action href={social.discord.link} target={linkTarget}>
        {words.action}
      </Action>
      <Heading>{words.comingHeading}</Heading>
      <List lines={words.coming} />
      <Heading>{words.nextHeading}</Heading>
      <List lines={words.next} isNumbered />
    </EmailFrame>
  );
}

/** The member's pass: what it gives and the member's address, beside a barcode. */
function Pass({ words, address }: Pick<WelcomeProps, 'words' | 'address'>) {
  return (
    <Table>
      <tr>
        <td className="email-stack" style={{ ...textStyle, padding: '0 12px 0 0', color: light.ink }}>
          <strong style={{ ...headingStyle, fontSize: '23px', lineHeight: '28px' }}>{words.pass}</strong>
          <span className="welcome-member">
            <br />
            {words.member}{' '}
            <strong className="welcome-address" style={{ wordBreak: 'break-all' }}>
              {address}
            </strong>
          </span>
        </td>
        <td className="email-stack" width="145" style={{ padding: 0 }} data-skip-in-text="true">
          <Table style={{ width: 'auto' }}>
            <tr>
              {bars.map((width, index) => (
                <td
                  key={index}
                  width={width}
                  style={{
                    padding: 0,
                    fontSize: '1px',
                    lineHeight: '40px',
                    ...(index % 2 === 0 && barStyle),
                  }}
                >
                  &nbsp;
                </td>
              ))}
            </tr>
          </Table>
        </td>
      </tr>
    </Table>
  );
}

/** The widths of the bars and gaps of a barcode, in pixels. It encodes nothing. */
const half = [3, 4, 1, 5, 2, 3, 6, 4, 2, 2, 1, 6, 4, 3, 2, 5, 1, 3, 5, 4, 3];
const bars = [...half, 4, ...half.toReversed()];
const barStyle = { backgroundColor: light.ink };
