import type { APIRoute, GetStaticPaths } from 'astro';
import { figures } from '~/config/site';
import { readFields } from '~/content-model/entries';
import type { PictogramName } from '~/pictures/names';
import { drawShareCard } from '~/pictures/share-card';

/** One card for each page: `/share/<page>.png`. */
export const getStaticPaths = (async () => {
  const hero = await readFields('hero');
  const { keep } = await readFields('payoutSlip');
  // Its first sentence. The title and the description of a shared link say the rest.
  const [lede = ''] = hero.lede.split(/(?<=[.!?]) /);
  const ticket = `${keep} ${figures.freeShare}`;
  const cards: Record<string, [title: string, picture?: PictogramName]> = {
    landing: [hero.heading],
    about: [(await readFields('about')).heading, 'storefront'],
    support: [(await readFields('support')).heading, 'help'],
    'terms-of-use': [(await readFields('termsOfUse')).title, 'papers'],
    'privacy-policy': [(await readFields('privacyPolicy')).title, 'lock'],
    welcome: [(await readFields('welcome')).heading, 'letter'],
    unsubscribe: [(await readFields('unsubscribe')).heading, 'letter'],
  };
  return Object.entries(cards).map(([page, [title, picture]]) => ({
    params: { page },
    // Started here, so that the cards are drawn in parallel.
    props: { card: drawShareCard({ title, lede, ticket, picture }) },
  }));
}) satisfies GetStaticPaths;

export const GET: APIRoute<{ card: Promise<Buffer> }> = async ({ props }) =>
  new Response(new Uint8Array(await props.card), { headers: { 'Content-Type': 'image/png' } });
