import { figures, site, social } from '../../src/config/site.ts';
import type { SiteCopy } from './site-copy.ts';

const otherFigures = {
  freeShare: '87,5%',
  premiumShare: '95%',
  firstCreators: '500',
  minimumAge: '21',
  deletionTime: '2 weeks',
  payoutTime: '5 business days',
  emailResponseTime: '12 hours',
} satisfies Record<keyof typeof figures, string>;
const otherName = 'Crate & Yard';
const twitch =
  "twitch: { label: 'Twitch', icon: 'twitch', link: 'https://twitch.tv/crate', hasOval: false },";

/** Changes every fact in a copy that the docs offer to an owner. */
export function changeFacts(copy: SiteCopy): void {
  const file = 'src/config/site.ts';
  copy.edit(file, `const name = '${site.name}'`, `const name = '${otherName}'`);
  copy.edit(file, `copyrightYear: '${site.copyrightYear}'`, "copyrightYear: '2031'");
  for (const [name, figure] of Object.entries(otherFigures)) {
    copy.edit(file, `${name}: '${figures[name as keyof typeof figures]}'`, `${name}: '${figure}'`);
  }
  for (const { icon, link } of Object.values(social)) copy.edit(file, link, `https://${icon}.com/crate`);
  // One network is dropped, another one added, and nobody formats the file.
  const networks = copy.read(file);
  copy.write(
    file,
    networks
      .replaceAll(/^ +alternative: '.*',\n/gm, '')
      .replace(/^ {2}youtube: \{[^}]*\},\n/m, twitch)
      .replace(/,? *social\.youtube,?/g, '')
      .replace(/(footerSocial[^=]*= \[)/, '$1social.twitch,   '),
  );
  copy.write('src/pictures/brands/twitch.svg', copy.read('src/pictures/brands/x.svg'));
}
