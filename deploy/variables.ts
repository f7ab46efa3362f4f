/** The parts of a set-up, in the order in which they are asked for. */
export const chapters = {
  site: 'The site',
  supabase: 'Supabase: the list, and the functions',
  resend: 'Resend: the welcome e-mail',
  contacts: 'Contacts, as visitors read them',
  cloudflare: 'Cloudflare: the pages',
} as const;

/** A value that a deployment is made of. */
export interface Variable {
  chapter: keyof typeof chapters;
  /** What it is, in a few words. */
  label: string;
  /** Where its owner finds it. */
  source: string;
  /** Whether it must never be seen: not on a screen, not in a log. */
  isSecret?: true;
  /** Whether a deployment does without it. */
  isOptional?: true;
  /** Whether set-up asks for it; what it does not ask for is set by hand, by those who need it. */
  isAsked: boolean;
}

/** Every value that a deployment is made of, by its name in the environment and in `.env`. */
export const variables = {
  PUBLIC_SITE_URL: {
    chapter: 'site',
    label: 'Address of the site',
    source:
      'Your domain with https:// in front. Its DNS must be at Cloudflare; or https://name.account.workers.dev.',
    isAsked: true,
  },
  SITE_URL: {
    chapter: 'site',
    label: 'Addresses that may call the functions',
    source: 'Only where there are several: all of them, with commas between; the main one first.',
    isOptional: true,
    isAsked: false,
  },
  PUBLIC_FAILURE_NOTICE: {
    chapter: 'site',
    label: 'Whether a form says so when its sign-up failed',
    source: 'Only where it is to: true.',
    isOptional: true,
    isAsked: false,
  },
  TOKEN_SECRET: {
    chapter: 'site',
    label: 'Secret that signs the links to leave',
    source:
      'Leave it empty and one is made, unless the site is live already: then the one that it runs with, since the links in messages that were sent need it.',
    isSecret: true,
    isAsked: true,
  },
  PUBLIC_SUPABASE_URL: {
    chapter: 'supabase',
    label: 'Address of the project',
    source:
      'Supabase, Project Settings, Data API: Project URL, such as https://abcdefghijklmnopqrst.supabase.co; not the address of the dashboard.',
    isAsked: true,
  },
  PUBLIC_SUPABASE_ANON_KEY: {
    chapter: 'supabase',
    label: 'Publishable key',
    source: 'Supabase, Project Settings, API Keys: the one that starts with sb_publishable_.',
    isAsked: true,
  },
  SUPABASE_SECRET_KEY: {
    chapter: 'supabase',
    label: 'Secret key',
    source:
      'Supabase, Project Settings, API Keys: the one that starts with sb_secret_. It opens the list to its owner.',
    isSecret: true,
    isAsked: true,
  },
  SUPABASE_DB_URL: {
    chapter: 'supabase',
    label: 'Connection string of the database',
    source: 'Supabase, Connect, Session pooler, as it is shown there: a password in it is not used.',
    isSecret: true,
    isAsked: true,
  },
  SUPABASE_DB_PASSWORD: {
    chapter: 'supabase',
    label: 'Password of the database',
    source: 'Chosen when the project was made; Supabase, Database, Settings resets it.',
    isSecret: true,
    isAsked: true,
  },
  SUPABASE_ACCESS_TOKEN: {
    chapter: 'supabase',
    label: 'Access token',
    source:
      'https://supabase.com/dashboard/account/tokens: make one. It starts with sbp_ and puts the functions in place.',
    isSecret: true,
    isAsked: true,
  },
  SUPABASE_PROJECT_REF: {
    chapter: 'supabase',
    label: 'Reference of the project',
    source:
      'Only for a project with an address of its own: the twenty letters in the address of its dashboard.',
    isOptional: true,
    isAsked: false,
  },
  CALLER_HEADER: {
    chapter: 'supabase',
    label: 'Header that tells who calls',
    source:
      'One that the platform sets and a visitor cannot: docs/deploy.md, “When it is live”, shows how to look.',
    isOptional: true,
    isAsked: false,
  },
  PUBLIC_EMAIL_FUNCTION_URL: {
    chapter: 'supabase',
    label: 'Address of the e-mail function',
    source: 'Only where it is not at the project.',
    isOptional: true,
    isAsked: false,
  },
  RESEND_API_KEY: {
    chapter: 'resend',
    label: 'API key',
    source:
      'https://resend.com/api-keys: one with sending access for this domain is enough. It starts with re_.',
    isSecret: true,
    isAsked: true,
  },
  PUBLIC_EMAIL_SENDER: {
    chapter: 'resend',
    label: 'Sender of the welcome e-mail',
    source: 'Name <hello@your-domain>, at the domain that you add at https://resend.com/domains.',
    isAsked: true,
  },
  PUBLIC_UNSUBSCRIBE_ADDRESS: {
    chapter: 'resend',
    label: 'Address that takes requests to leave',
    source: 'A mailbox that somebody reads.',
    isAsked: true,
  },
  RESEND_WEBHOOK_SECRET: {
    chapter: 'resend',
    label: 'Signing secret of the webhook',
    source:
      'Optional, and made after the first deployment at https://resend.com/webhooks. It starts with whsec_.',
    isSecret: true,
    isOptional: true,
    isAsked: true,
  },
  PUBLIC_SUPPORT_EMAIL: {
    chapter: 'contacts',
    label: 'Support e-mail',
    source: 'A mailbox that somebody reads.',
    isAsked: true,
  },
  PUBLIC_SUPPORT_PHONE: {
    chapter: 'contacts',
    label: 'Support phone',
    source: 'With the country: +1 (555) 555-0142.',
    isAsked: true,
  },
  PUBLIC_POSTAL_ADDRESS: {
    chapter: 'contacts',
    label: 'Who is responsible, and where',
    source: 'For the privacy policy, in one line: Name, Street 1, 12345 Town.',
    isAsked: true,
  },
  CLOUDFLARE_ACCOUNT_ID: {
    chapter: 'cloudflare',
    label: 'Account ID',
    source: 'Cloudflare, Workers & Pages: Account details, on the right.',
    isAsked: true,
  },
  CLOUDFLARE_API_TOKEN: {
    chapter: 'cloudflare',
    label: 'API token',
    source:
      'https://dash.cloudflare.com/profile/api-tokens, Create Token: the template "Edit Cloudflare Workers".',
    isSecret: true,
    isAsked: true,
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;

/** Values of a deployment, by name; a value that is not there has no key. */
export type Values = Partial<Record<VariableName, string>>;

export const variableNames = Object.keys(variables) as VariableName[];

/** Describes a variable by name. */
export function describeVariable(name: VariableName): Variable {
  return variables[name];
}
