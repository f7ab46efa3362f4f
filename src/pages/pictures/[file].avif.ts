import type { APIRoute, GetStaticPaths } from 'astro';
import { flatYard } from '~/pictures/flat';

/** The yard for phones, under the name that it has in the page. */
export const getStaticPaths = (() => [
  { params: { file: flatYard.path.slice('/pictures/'.length, -'.avif'.length) } },
]) satisfies GetStaticPaths;

export const GET: APIRoute = () =>
  new Response(new Uint8Array(flatYard.data), { headers: { 'Content-Type': 'image/avif' } });
