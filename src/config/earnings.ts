import { figures } from './site.ts';

/** What a free creator keeps of a sale, in percent. */
const share = Number.parseFloat(figures.freeShare.replace(',', '.'));

/** The platform's share of a free creator's sale, as visitors read it. */
export const platformShare = `${Number((100 - share).toFixed(2))}%`;

/** Splits an amount in dollars into the platform's share and what a free creator keeps. */
export function splitSales(total: number): { fee: number; kept: number } {
  const fee = Math.round(total * (100 - share)) / 100;
  return { fee, kept: total - fee };
}

/** Formats an amount in dollars: `$1,275.00`, or `$5` and `$4.50` with `stripIfInteger`. */
export function formatDollars(amount: number, trailingZeroDisplay: 'auto' | 'stripIfInteger' = 'auto') {
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    trailingZeroDisplay,
  });
}
