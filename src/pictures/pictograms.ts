/** The small pictures that an item can carry. Pictogram.astro draws them. */
export const pictograms = ['crate', 'storefront', 'card', 'tools', 'map', 'boost'] as const;

export type PictogramName = (typeof pictograms)[number];
