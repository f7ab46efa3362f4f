import type { Network } from '../config/site.ts';

/** The small pictures that an item can have. */
export const pictograms = [
  'storefront',
  'crates',
  'card',
  'tools',
  'map',
  'boost',
  'help',
  'letter',
  'papers',
  'lock',
] as const;

export type PictogramName = (typeof pictograms)[number];

export type PictureName = 'yard' | 'landed' | 'dashboard' | PictogramName | Network['icon'];
