import { deployment } from '../config/deployment.ts';
import { site, social } from '../config/site.ts';

export function describeSite() {
  const { siteUrl, supportEmail, supportPhone } = deployment;
  const organization = `${siteUrl}/#organization`;
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        '@id': organization,
        name: site.name,
        description: site.description,
        url: `${siteUrl}/`,
        logo: `${siteUrl}/icon-512.png`,
        email: supportEmail,
        telephone: supportPhone,
        sameAs: Object.values(social).map(({ link }) => link),
      },
      {
        '@type': 'WebSite',
        '@id': `${siteUrl}/#website`,
        name: site.name,
        description: site.description,
        url: `${siteUrl}/`,
        publisher: { '@id': organization },
      },
    ],
  };
}
