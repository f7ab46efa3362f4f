import type { Contenders } from './contenders.ts';
import { type Scores, measureLighthouse } from './lighthouse.ts';
import { type Load, measureLoad } from './load.ts';
import type { Phone } from './phone.ts';
import { measureSignUp, type SignUp } from './sign-up.ts';

export const pagePaths = [
  '/',
  '/about',
  '/support',
  '/terms-of-use',
  '/privacy-policy',
  '/welcome',
  '/leave',
] as const;

export type Name = keyof Contenders['sites'];

/** What one round found out about one page. */
export interface Result {
  load: Load;
  signUp: SignUp;
  scores: Scores;
}

export interface Round {
  contenders: Record<Name, Result>;
  /** Lighthouse's scores of this site, by page. */
  pages: Record<(typeof pagePaths)[number], Scores>;
}

/**
 * Measures everything once. Each round begins with another contender, so that a slow spell of the machine falls on all
 * of them in the end. `note` hears what is going on.
 */
export async function measureRound(
  index: number,
  phone: Phone,
  { sites, confirmation }: Contenders,
  note: (line: string) => void,
): Promise<Round> {
  const names = Object.keys(sites) as Name[];
  const turned = names.map((_, place) => names[(place + index) % names.length]!);
  const contenders = {} as Round['contenders'];
  for (const name of turned) {
    const site = sites[name];
    note(`round ${index + 1}: ${name}`);
    contenders[name] = {
      load: await tryTwice(() => measureLoad(phone, site.url)),
      signUp: await tryTwice(() => measureSignUp(phone, site, confirmation)),
      scores: await tryTwice(() => measureLighthouse(phone, site.url)),
    };
  }
  const pages = { '/': contenders.thisSite.scores } as Round['pages'];
  for (const path of pagePaths.slice(1)) {
    note(`round ${index + 1}: ${path}`);
    pages[path] = await tryTwice(() => measureLighthouse(phone, sites.thisSite.url + path));
  }
  return { contenders, pages };
}

/** A busy machine lets a browser fail now and then; that is no reason to lose a whole run. */
async function tryTwice<Figure>(measure: () => Promise<Figure>): Promise<Figure> {
  return measure().catch(measure);
}
