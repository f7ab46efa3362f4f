import { figures } from './site.ts';

const kept = Number.parseInt(figures.freeShare) / 100;

/** The part of each sale that the platform takes from a free creator, as visitors read it. */
export const platformShare = `${Math.round((1 - kept) * 100)}%`;

/** Splits what buyers paid, in dollars, into the platform's share and what a free creator keeps. */
export function splitSales(total: number): { fee: number; kept: number } {
  const fee = Math.round(total * (1 - kept) * 100) / 100;
  return { fee, kept: total - fee };
}

/** Writes an amount in dollars as visitors read it: `$1,275.00`. */
export function formatDollars(amount: number, fractionDigits = 2): string {
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: fractionDigits,
  });
}
