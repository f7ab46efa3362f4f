import type { MouseEvent, ReactNode } from 'react';
import { announceHydration } from './announce-hydration';

/**
 * Keeps one item of the list open at a time, and the pressed question in its place. Until it is hydrated, `<details name>` does
 * the first. The `details` elements keep the state themselves, because find-in-page and links to an answer open them as well.
 */
export default function Accordion({ children }: { children?: ReactNode }) {
  function toggle(event: MouseEvent<HTMLDivElement>) {
    const item = (event.target as Element).closest('summary')?.parentElement;
    if (!(item instanceof HTMLDetailsElement)) return;
    event.preventDefault();
    const isOpening = !item.open;
    const { top } = item.getBoundingClientRect();
    for (const other of event.currentTarget.querySelectorAll('details'))
      other.open = other === item && isOpening;
    // The pressed question stays in place when an answer above it closes.
    scrollBy({ top: item.getBoundingClientRect().top - top, behavior: 'instant' });
  }

  return (
    <div className="accordion" ref={announceHydration} onClick={toggle}>
      {children}
    </div>
  );
}
