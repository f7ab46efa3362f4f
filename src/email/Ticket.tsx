import type { ReactNode } from 'react';
import { Blank, light, Table } from './EmailText.tsx';

/**
 * A ticket with a stub: a perforation between two notches, and a barcode. The notches have the colors above and below it.
 * A client without round corners shows square notches.
 */
export function Ticket({ children }: { children: ReactNode }) {
  const edge = (notch: ReactNode) => (
    <tr>
      <Blank height={12} />
      {notch}
      <Blank height={12} />
    </tr>
  );
  return (
    <tr>
      <td style={{ padding: 0, backgroundColor: light.lamp }}>
        <Table>
          {edge(
            <Blank
              colSpan={2}
              height={12}
              style={{ backgroundColor: light.steel, borderRadius: '0 0 12px 12px' }}
            />,
          )}
          <tr>
            <td className="email-cell" style={{ padding: '16px 16px 16px 40px' }}>
              {children}
            </td>
            <Blank width={11} height={12} />
            <Blank
              width={11}
              height={12}
              style={{ boxSizing: 'content-box', borderLeft: `2px dashed ${light.ink}` }}
            />
            <td
              className="email-stub"
              width="72"
              style={{ boxSizing: 'content-box', padding: '0 28px 0 16px' }}
              data-skip-in-text="true"
            >
              <Barcode />
            </td>
          </tr>
          {edge(
            <Blank
              className="email-panel"
              colSpan={2}
              height={12}
              style={{ backgroundColor: light.panel, borderRadius: '12px 12px 0 0' }}
            />,
          )}
        </Table>
      </td>
    </tr>
  );
}

/** The height of each bar and of the gap below it, in pixels. They encode nothing. */
const bars = [
  [3, 4],
  [1, 5],
  [2, 3],
  [6, 4],
  [2, 2],
  [1, 6],
  [4, 3],
  [2, 5],
  [1, 3],
  [5, 4],
  [3, 4],
  [3, 4],
  [5, 3],
  [1, 5],
  [2, 3],
  [4, 6],
  [1, 2],
  [2, 4],
  [6, 3],
  [2, 5],
] as const;

function Barcode() {
  return (
    <Table>
      {bars.map(([bar, gap], index) => (
        <tr key={index}>
          <Blank height={gap} style={{ borderTop: `${bar}px solid ${light.ink}` }} />
        </tr>
      ))}
    </Table>
  );
}
