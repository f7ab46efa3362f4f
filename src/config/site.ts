type InnerLink = `/${string}` | `#${string}`;
type OuterLink = `https://${string}`;

interface SocialLink {
  label: string;
  /** The name of its file in src/pictures/brands/, without `.svg`. */
  icon: string;
  link: OuterLink;
  /** Another URL, for when `link` cannot be reached. No page shows it. */
  alternative?: OuterLink;
  hasOval: boolean;
}

const name = 'Dropyard';

/** The facts that all deployments share. Values that differ between deployments are in `.env`. */
export const site = {
  name,
  version: '1.1.0',
  description: 'RP creator movement platform',
  independenceNotice: `${name} is independent. It is not affiliated with, endorsed by or sponsored by the publisher of any game.`,
  copyrightYear: '2025',
  /** Where no site can be: a build with this URL is a preview. */
  previewUrl: 'https://preview.invalid',
  previewNotice: 'This is a preview. Its forms sign nobody up.',
  devApiBase: 'http://localhost:3000',
  emailFunctionPath: '/functions/v1/resend-email',
  unsubscribeFunctionPath: '/functions/v1/unsubscribe',
} as const;

export const social = {
  discord: {
    label: 'Discord',
    icon: 'discord',
    link: 'https://discord.example/dropyard',
    alternative: 'https://chat.dropyard.example/invite',
    hasOval: true,
  },
  x: {
    label: 'X',
    icon: 'x',
    link: 'https://x.example/dropyard',
    alternative: 'https://microblog.example/dropyard',
    hasOval: true,
  },
  tiktok: {
    label: 'TikTok',
    icon: 'tiktok',
    link: 'https://tiktok.example/@dropyard',
    alternative: 'https://shorts.example/dropyard',
    hasOval: true,
  },
  instagram: {
    label: 'Instagram',
    icon: 'instagram',
    link: 'https://instagram.example/dropyard',
    alternative: 'https://photos.example/dropyard',
    hasOval: true,
  },
  youtube: {
    label: 'YouTube',
    icon: 'youtube',
    link: 'https://youtube.example/@dropyard',
    alternative: 'https://video.example/dropyard',
    hasOval: true,
  },
} as const satisfies Record<string, SocialLink>;

export type Network = (typeof social)[keyof typeof social];

/** Social links as the footer shows them: chat, microblog, short video, video. */
export const footerSocial: Network[] = [social.discord, social.x, social.tiktok, social.youtube];

/** Social links as emails show them. */
export const emailSocial: Network[] = [
  social.discord,
  social.tiktok,
  social.x,
  social.instagram,
  social.youtube,
];

export const pages = {
  about: { label: 'About', link: '/about' },
  support: { label: 'Support', link: '/support' },
  terms: { label: 'Terms of Use', link: '/terms-of-use' },
  privacy: { label: 'Privacy Policy', link: '/privacy-policy' },
} as const satisfies Record<string, { label: string; link: InnerLink }>;

/** Pages that search engines do not list, because they are for a single member. */
export const unlistedPages = ['/welcome', '/unsubscribe'];

/** Anchors of the landing page. */
export const anchors = {
  top: '#top',
  features: '#features',
  faq: '#faq',
  joined: '#joined',
  addressRefused: '#address-refused',
  notJoined: '#not-joined',
  tryLater: '#try-later',
  closed: '#closed',
} as const satisfies Record<string, InnerLink>;

/** The prefixes of question anchors: `#<prefix>-<file name>`. */
export const questionAnchors = { faq: 'question', supportFaq: 'support-question' } as const;

/** The business figures, formatted as visitors read them. */
export const figures = {
  freeShare: '85%',
  premiumShare: '90%',
  firstCreators: '1,000',
  minimumAge: '18',
  deletionTime: '30 days',
  payoutTime: '2-3 business days',
  emailResponseTime: '24-48 hours',
} as const;

/** Prices in dollars and numbers of sales of the payout slip: three each, because its style shows one of nine results. */
export const examples = {
  prices: [5, 9, 15],
  sales: [10, 50, 200],
} as const satisfies Record<string, readonly [number, number, number]>;

/** The value of the column `source` in the waitlist. */
export const sourceTag = 'landing_page';

/**
 * Placeholders for deployment values, by variable. They harm nobody: reserved domains, a fictional phone number, a postal
 * address that does not exist.
 */
export const placeholders = {
  PUBLIC_EMAIL_SENDER: `${name} <hello@dropyard.example>`,
  PUBLIC_SUPPORT_EMAIL: 'support@dropyard.example',
  PUBLIC_SUPPORT_PHONE: '+1 (555) 555-0142',
  PUBLIC_UNSUBSCRIBE_ADDRESS: 'unsubscribe@dropyard.example',
  PUBLIC_POSTAL_ADDRESS: `${name}, 1 Example Street, 00000 Example Town`,
} as const;
