import type { APIRoute, GetStaticPaths } from 'astro';
import { figures } from '~/config/site';
import { readEntry, readFields } from '~/content-model/entries';
import { drawShareCard } from '~/pictures/share-card';

/** One card for each page: `/share/<page>.png`. */
export const getStaticPaths = (async () => {
  const hero = await readFields('hero');
  const { keep } = await readFields('payoutSlip');
  // Its first sentence. The title and the description of a shared link say the rest.
  const [lede = ''] = hero.lede.split(/(?<=[.!?]) /);
  const ticket = `${keep} ${figures.freeShare}`;
  const cards = {
    landing: hero.heading,
    about: (await readEntry('about')).heading,
    support: (await readEntry('support')).heading,
    'terms-of-use': (await readEntry('termsOfUse')).title,
    'privacy-policy': (await readEntry('privacyPolicy')).title,
    welcome: (await readFields('welcome')).heading,
    unsubscribe: (await readEntry('unsubscribe')).heading,
  };
  return Object.entries(cards).map(([page, title]) => ({
    params: { page },
    // Started here, so that the cards are drawn in parallel.
    props: { card: drawShareCard({ title, lede, ticket }) },
  }));
}) satisfies GetStaticPaths;

export const GET: APIRoute<{ card: Promise<Buffer> }> = async ({ props }) =>
  new Response(new Uint8Array(await props.card), { headers: { 'Content-Type': 'image/png' } });
