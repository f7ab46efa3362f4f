import type { APIRoute, GetStaticPaths } from 'astro';
import { pictureFiles } from '~/pictures/files';
import { dayYard, flatDashboard, nightYard } from '~/pictures/flat';

/** The drawn pictures, and those for phones and tablets, under the file names that the pages use. */
export const getStaticPaths = (() =>
  [
    ...Object.values(pictureFiles).map(({ path, svg }) => ({ path, type: 'image/svg+xml', data: svg })),
    ...[nightYard, dayYard, flatDashboard].map((flat) => ({ ...flat, type: 'image/avif' })),
  ].map(({ path, type, data }) => ({
    params: { file: path.slice('/pictures/'.length) },
    props: { type, data },
  }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ type: string; data: BodyInit }> = ({ props: { type, data } }) =>
  new Response(data, { headers: { 'Content-Type': type } });
