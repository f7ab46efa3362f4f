import type { APIRoute, GetStaticPaths, InferGetStaticPropsType } from 'astro';
import { flatDashboard, flatYard } from '~/pictures/flat';

/** The pictures for phones and tablets, under the file names that the pages use. */
export const getStaticPaths = (() =>
  [...Object.values(flatYard), flatDashboard].map(({ path, data }) => ({
    params: { file: path.slice('/pictures/'.length, -'.avif'.length) },
    props: { data },
  }))) satisfies GetStaticPaths;

export const GET: APIRoute<InferGetStaticPropsType<typeof getStaticPaths>> = ({ props }) =>
  new Response(new Uint8Array(props.data), { headers: { 'Content-Type': 'image/avif' } });
