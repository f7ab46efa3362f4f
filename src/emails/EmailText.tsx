import { createContext, type CSSProperties, type ReactNode, useContext } from 'react';
import { readToken } from '../styles/tokens.ts';

/** The day colors of the site, inline, where every client reads them. The night colors are in the style sheet of the frame. */
export const light = {
  paper: readToken('surface', 'day'),
  panel: readToken('surface-raised', 'day'),
  ink: readToken('on-lamp'),
  quiet: readToken('text-quiet', 'day'),
  line: readToken('line-strong', 'day'),
  link: readToken('accent', 'day'),
  lamp: readToken('lamp'),
  steel: readToken('steel'),
};

export const font = 'Helvetica, Arial, sans-serif';

/** The condensed bold faces of phones and desktops, which come closest to the signs of the site. */
const signFont = `HelveticaNeue-CondensedBold, 'Arial Narrow', sans-serif-condensed, ${font}`;

const textStyle: CSSProperties = {
  margin: '0 0 16px',
  color: light.quiet,
  fontSize: '16px',
  lineHeight: '25px',
};
export const headingStyle: CSSProperties = {
  margin: 0,
  color: light.ink,
  fontFamily: signFont,
  fontWeight: 'bold',
};
const actionStyle: CSSProperties = {
  color: light.ink,
  fontFamily: signFont,
  fontSize: '19px',
  lineHeight: '22px',
  fontWeight: 'bold',
  textDecoration: 'none',
  // On the link, so that a tap beside the words counts. Outlook ignores the padding, and the cell keeps its height.
  display: 'block',
  padding: '15px 32px',
};

interface BoxProps {
  className?: string | undefined;
  style?: CSSProperties | undefined;
  children: ReactNode;
}

interface LinkProps {
  href: string;
  children: ReactNode;
}

export const LinkTarget = createContext<'_blank' | '_self'>('_blank');

export function Heading({ children }: { children: ReactNode }) {
  return (
    <h2
      className="email-ink"
      style={{ ...headingStyle, padding: '24px 0 8px', fontSize: '23px', lineHeight: '28px' }}
    >
      {children}
    </h2>
  );
}

/** How a paragraph differs from the others. */
const sizes = {
  small: { fontSize: '14px', lineHeight: '22px' },
  large: { margin: '0 0 24px', color: light.ink, fontSize: '19px', lineHeight: '29px' },
};

export function Paragraph({ size, children }: { size?: keyof typeof sizes; children: ReactNode }) {
  return (
    <p
      className={size === 'large' ? 'email-ink' : 'email-quiet'}
      style={{ ...textStyle, ...(size && sizes[size]) }}
    >
      {children}
    </p>
  );
}

export function List({ lines, start }: { lines: ReactNode[]; start?: number | undefined }) {
  const [Tag, listStyleType] = start === undefined ? ['ul' as const, 'square'] : ['ol' as const, 'decimal'];
  return (
    <Tag {...{ start }} style={{ ...textStyle, padding: '0 0 0 22px', listStyleType }}>
      {lines.map((line, index) => (
        <li
          key={index}
          className="email-link"
          style={{
            margin: 0,
            padding: '9px 0',
            ...(index < lines.length - 1 && { borderBottom: `1px dashed ${light.line}` }),
            color: light.link,
          }}
        >
          <div className="email-ink" style={{ color: light.ink }}>
            {line}
          </div>
        </li>
      ))}
    </Tag>
  );
}

export function Link({ href, children }: LinkProps) {
  return (
    <a
      className="email-link"
      href={href}
      target={useContext(LinkTarget)}
      style={{ color: light.link, textDecoration: 'underline' }}
    >
      {children}
    </a>
  );
}

/** The one button of the message. */
export function Action({ href, children }: LinkProps) {
  return (
    <div style={{ margin: '0 0 16px' }}>
      <Table className="email-action" style={{ backgroundColor: light.lamp }}>
        <tr>
          <td align="center" style={{ padding: 0, height: '52px' }}>
            <a href={href} target={useContext(LinkTarget)} style={actionStyle}>
              {children}
            </a>
          </td>
        </tr>
      </Table>
    </div>
  );
}

/**
 * A layout table, because mail clients support no other layout reliably. Outlook on Windows knows only the attribute `width`,
 * and no `max-width`. Without a width, a table is as wide as its words.
 */
export function Table({ children, ...attributes }: BoxProps & { width?: string }) {
  return (
    <table role="presentation" cellSpacing={0} {...attributes}>
      <tbody>{children}</tbody>
    </table>
  );
}

/** A row of the table around a message. */
export function Band({ className = '', style, children }: BoxProps) {
  return (
    <tr>
      <td className={`email-cell ${className}`.trim()} style={{ padding: '28px 40px', ...style }}>
        {children}
      </td>
    </tr>
  );
}
