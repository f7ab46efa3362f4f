import type { CSSProperties, ReactNode } from 'react';

/** The text color for each scheme: light inline, where every client reads it, and dark in the style sheet. */
export const light = {
  paper: '#f5f2ea',
  panel: '#ffffff',
  ink: '#17181c',
  quiet: '#4b4d55',
  link: '#7f4f00',
  lamp: '#ffb224',
  steel: '#262931',
};

export const font = 'Helvetica, Arial, sans-serif';

/** The condensed bold faces of phones and desktops, which come closest to the signs of the site. */
const signFont = `HelveticaNeue-CondensedBold, 'Arial Narrow', sans-serif-condensed, ${font}`;

export const textStyle: CSSProperties = {
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
  // On the link, so that a tap beside the words counts. Outlook ignores both, and the plate keeps its height.
  display: 'inline-block',
  padding: '15px 18px',
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
      style={{ ...headingStyle, padding: '24px 0 8px', fontSize: '23px', lineHeight: '28px' }}
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

/** The one button of the message, a ticket like those of the site. */
export function Action({ href, target, children }: LinkProps) {
  return (
    <div style={{ margin: '0 0 16px' }}>
      <Plate height={52} notch={12} surface={{ className: 'email-panel', color: light.panel }}>
        <td rowSpan={3} style={{ padding: 0 }}>
          <a href={href} target={target} style={actionStyle}>
            {children}
          </a>
        </td>
      </Plate>
    </div>
  );
}

interface PlateProps {
  /** In pixels. */
  height: number;
  /** The height of a notch in pixels. */
  notch: number;
  /** What shows through the notches. */
  surface: { className?: string; color: string };
  /** A cell that spans three rows. */
  children: ReactNode;
}

/** An amber plate with a round notch at each end. A client without round corners shows square notches. */
export function Plate({ height, notch, surface, children }: PlateProps) {
  const filled = { padding: 0, fontSize: '1px', lineHeight: `${(height - notch) / 2}px` };
  const cut = { padding: 0, fontSize: '1px', lineHeight: `${notch}px`, backgroundColor: surface.color };
  const fill = (
    <td width={notch / 2} style={filled} data-skip-in-text="true">
      &nbsp;
    </td>
  );
  const cutOut = (borderRadius: string) => (
    <td
      className={surface.className}
      width={notch / 2}
      style={{ ...cut, borderRadius }}
      data-skip-in-text="true"
    >
      &nbsp;
    </td>
  );
  return (
    <Table style={{ width: 'auto', backgroundColor: light.lamp }}>
      <tr>
        {fill}
        {children}
        {fill}
      </tr>
      <tr>
        {cutOut(`0 ${notch}px ${notch}px 0`)}
        {cutOut(`${notch}px 0 0 ${notch}px`)}
      </tr>
      <tr>
        {fill}
        {fill}
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
