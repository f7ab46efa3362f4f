import type { APIRoute, GetStaticPaths } from 'astro';
import { pictureFiles } from '~/pictures/files';

/** The drawn pictures, under the file names that the pages use. */
export const getStaticPaths = (() =>
  Object.values(pictureFiles).map(({ path, svg }) => ({
    params: { file: path.slice('/pictures/'.length, -'.svg'.length) },
    props: { svg },
  }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ svg: string }> = ({ props }) =>
  new Response(props.svg, { headers: { 'Content-Type': 'image/svg+xml' } });
