import { defineCollection } from 'astro:content';
import { type Kind, kinds } from './words/kinds.ts';
import { loadKind } from './words/load-kind.ts';

function collect<Of extends Kind>(kind: Of) {
  return defineCollection({ loader: loadKind(kind), schema: kind.schema as Of['schema'] });
}

type Collections = { [Name in keyof typeof kinds]: ReturnType<typeof collect<(typeof kinds)[Name]>> };

/** The content files as Astro reads them. What each must hold is in words/kinds.ts. */
export const collections = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, collect(kind)]),
) as Collections;
