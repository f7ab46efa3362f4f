import type { APIRoute, GetStaticPaths, InferGetStaticPropsType } from 'astro';
import { flatYard } from '~/pictures/flat';

/** The yard for phones, under the names that it has in the page. */
export const getStaticPaths = (() =>
  [flatYard.night, flatYard.day].map(({ path, data }) => ({
    params: { file: path.slice('/pictures/'.length, -'.avif'.length) },
    props: { data },
  }))) satisfies GetStaticPaths;

export const GET: APIRoute<InferGetStaticPropsType<typeof getStaticPaths>> = ({ props }) =>
  new Response(new Uint8Array(props.data), { headers: { 'Content-Type': 'image/avif' } });
