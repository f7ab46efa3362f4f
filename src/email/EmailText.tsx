import type { CSSProperties, ReactNode } from 'react';

/** The text color for each scheme: light inline, where every client reads it, and dark in the style sheet. */
export const light = {
  paper: '#f5f2ea',
  panel: '#ffffff',
  ink: '#17181c',
  quiet: '#4b4d55',
  link: '#8a5600',
  lamp: '#ffb224',
};

export const font = 'Helvetica, Arial, sans-serif';

export const textStyle: CSSProperties = {
  margin: '0 0 16px',
  color: light.quiet,
  fontSize: '16px',
  lineHeight: '25px',
};
export const headingStyle: CSSProperties = {
  margin: 0,
  color: light.ink,
  fontFamily: font,
  fontWeight: 'bold',
};
const actionStyle: CSSProperties = {
  color: light.ink,
  fontSize: '17px',
  lineHeight: '22px',
  fontWeight: 'bold',
  textDecoration: 'none',
};

export interface LinkProps {
  href: string;
  target: '_blank' | '_self';
  children: ReactNode;
}

/** A heading inside the message. */
export function Heading({ children }: { children: ReactNode }) {
  return (
    <h2
      className="email-ink"
      style={{ ...headingStyle, padding: '24px 0 8px', fontSize: '20px', lineHeight: '26px' }}
    >
      {children}
    </h2>
  );
}

export function Paragraph({ isSmall, children }: { isSmall?: boolean; children: ReactNode }) {
  const small = isSmall && { fontSize: '14px', lineHeight: '22px' };
  return (
    <p className="email-quiet" style={{ ...textStyle, ...small }}>
      {children}
    </p>
  );
}

export function List({ lines, isNumbered = false }: { lines: ReactNode[]; isNumbered?: boolean }) {
  const Tag = isNumbered ? 'ol' : 'ul';
  return (
    <Tag style={{ ...textStyle, padding: '0 0 0 20px', listStyleType: isNumbered ? 'decimal' : 'disc' }}>
      {lines.map((line, index) => (
        <li key={index} className="email-quiet" style={{ margin: '0 0 8px', color: light.quiet }}>
          {line}
        </li>
      ))}
    </Tag>
  );
}

export function Link({ href, target, children }: LinkProps) {
  return (
    <a
      className="email-link"
      href={href}
      target={target}
      style={{ color: light.link, textDecoration: 'underline' }}
    >
      {children}
    </a>
  );
}

/** The one button of the message. */
export function Action({ href, target, children }: LinkProps) {
  return (
    <Table style={{ width: 'auto', margin: '0 0 16px' }}>
      <tr>
        <td style={{ padding: '14px 26px', backgroundColor: light.lamp }}>
          <a href={href} target={target} style={actionStyle}>
            {children}
          </a>
        </td>
      </tr>
    </Table>
  );
}

/** A layout table, because mail clients support no other layout reliably. */
export function Table({
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
