import { isEmail, isSender } from './email-address.ts';
import { flag, isOrigin, isSessionPooler, isUrl, splitList } from './formats.ts';

/** The functions of the project, by the name that each is deployed under. */
export const functionNames = ['resend-email', 'unsubscribe', 'delivery-events'] as const;
export type FunctionName = (typeof functionNames)[number];

/** A value that differs from one deployment to the next. */
interface Variable {
  /** A heading in `.env.example`, for this value and those below it. */
  heading?: string;
  /** A description that completes the sentence "set it to …". */
  hint: string;
  /**
   * Where the owner finds it, in complete sentences. A value without it comes from Supabase, or is only for the stack on this
   * machine and for tests.
   */
  source?: string;
  /** Its kind: what it must look like. Without it, any text. */
  accepts?: RegExp | ((value: string) => boolean);
  /** Whether a deployment works without it. */
  isOptional?: true;
  /** Whether screens and logs must never show it. */
  isSecret?: true;
  /** The functions that read it. The build reads those whose name begins with PUBLIC_. */
  usedBy?: readonly FunctionName[];
}

/** Every deployment value, by its name in the environment and in `.env`, in the order of `.env.example`. */
const table = {
  PUBLIC_SITE_URL: {
    heading: 'The site',
    hint: 'the URL of the site without a path: https:// and your own domain',
    source: 'Your domain at Cloudflare, or https://name.account.workers.dev.',
    accepts: isOrigin,
  },
  SITE_URL: {
    hint: 'the URLs of all hosts of the site, separated by commas',
    source: 'You need it only if the site has several hosts. Only their pages may call the functions.',
    accepts: (value) => splitList(value).every(isOrigin),
    isOptional: true,
    usedBy: ['resend-email', 'unsubscribe'],
  },
  PUBLIC_FAILURE_NOTICE: {
    hint: 'whether a form shows a notice when a sign-up fails: true or false',
    source: 'The default is false.',
    accepts: flag,
    isOptional: true,
  },
  TOKEN_SECRET: {
    hint: 'random text of at least 32 characters, or several separated by commas: it signs unsubscribe links and protects stored hashes',
    source:
      'Create one with: openssl rand -hex 32. If the site is already live, use its current one. To replace it, put a new one and a comma in front of it.',
    accepts: (value) => splitList(value).every((secret) => /^[\x21-\x7e]{32,}$/.test(secret)),
    isSecret: true,
    usedBy: functionNames,
  },
  PUBLIC_SUPABASE_URL: {
    heading: 'Supabase: the list and the functions',
    hint: 'the URL of the Supabase project without a path: https://<reference>.supabase.co, or its custom domain',
    source: 'Supabase, Connect. It is not the URL of the dashboard.',
    accepts: isOrigin,
    usedBy: ['resend-email'],
  },
  PUBLIC_SUPABASE_ANON_KEY: {
    hint: 'the publishable key of the Supabase project (sb_publishable_...), never a secret one: it is in the pages',
    source: 'Supabase, Project Settings, API Keys.',
    accepts: /^sb_publishable_[\w-]+$/,
  },
  SUPABASE_SECRET_KEY: {
    hint: 'the secret key of the Supabase project (sb_secret_...), which gives full access to the list',
    source: 'Supabase, Project Settings, API Keys.',
    accepts: /^sb_secret_[\w-]+$/,
    isSecret: true,
  },
  SUPABASE_DB_URL: {
    hint: 'the connection string of the session pooler: postgresql://postgres.abc@host:5432/postgres',
    source: 'Supabase, Connect, Session pooler. Copy it as shown: a password in it is ignored.',
    accepts: isSessionPooler,
    isSecret: true,
  },
  SUPABASE_DB_PASSWORD: {
    hint: 'the password of the database',
    source: 'You chose it when you created the project. To reset it: Supabase, Database, Settings.',
    isSecret: true,
  },
  SUPABASE_ACCESS_TOKEN: {
    hint: 'an access token of the Supabase account (sbp_...), which deploys the functions',
    source:
      'Create one at https://supabase.com/dashboard/account/tokens: for your project, Edge Functions and Edge Function Secrets read-write, with an expiry of a year. Note the day on which it expires: from then on, nothing can be deployed.',
    accepts: /^sbp_\w+$/,
    isSecret: true,
  },
  CALLER_HEADER: {
    hint: 'the name of the one header that contains the caller’s IP address',
    source: 'A deployment finds it and sets it. A name that you set here overrides what it finds.',
    accepts: /^[\w-]+$/,
    isOptional: true,
    usedBy: ['resend-email'],
  },
  PUBLIC_EMAIL_FUNCTION_URL: {
    hint: 'the https:// URL of the email function',
    source: 'You need it only if the function runs outside the Supabase project.',
    accepts: isUrl,
    isOptional: true,
  },
  RESEND_API_KEY: {
    heading: 'Resend: the welcome email',
    hint: 'an API key of the Resend account (re_...)',
    source: 'Create one at https://resend.com/api-keys. Sending access for your domain is enough.',
    accepts: /^re_\w+$/,
    isSecret: true,
    usedBy: ['resend-email'],
  },
  PUBLIC_EMAIL_SENDER: {
    hint: 'the sender of every email, at your own domain: Name <hello@your-domain>',
    source:
      'The domain is the one that you added at https://resend.com/domains. Replies go to this address, so somebody must read its mailbox.',
    accepts: isSender,
    usedBy: ['resend-email'],
  },
  PUBLIC_UNSUBSCRIBE_ADDRESS: {
    hint: 'the email address that receives unsubscribe requests',
    source: 'A mailbox that somebody reads.',
    accepts: isEmail,
    usedBy: ['resend-email'],
  },
  RESEND_WEBHOOK_SECRET: {
    hint: 'the signing secret of the webhook at Resend (whsec_...)',
    source: 'Set it after the first deployment. Find it at https://resend.com/webhooks.',
    accepts: /^whsec_([A-Za-z0-9+/]{4}){6,}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    isOptional: true,
    isSecret: true,
    usedBy: ['delivery-events'],
  },
  PUBLIC_SUPPORT_EMAIL: {
    heading: 'Contacts that visitors see',
    hint: 'the email address for support',
    source: 'A mailbox that somebody reads.',
    accepts: isEmail,
  },
  PUBLIC_SUPPORT_PHONE: {
    hint: 'the phone number for support, with the country code: +1 (555) 555-0142',
    source: 'A number that somebody answers.',
    accepts: /^\+([ ()./-]*\d){5,20}$/,
  },
  PUBLIC_POSTAL_ADDRESS: {
    hint: 'the name and postal address of the person or company that runs the site, on one line: Name, Street 1, 12345 Town',
    source: 'The footer and the privacy policy show it.',
    accepts: /[^\s,].*,.*[^\s,]/,
  },
  CLOUDFLARE_ACCOUNT_ID: {
    heading: 'Cloudflare: the pages',
    hint: 'the ID of the Cloudflare account: 32 digits and letters',
    source: 'Search the Cloudflare dashboard for "Copy account ID".',
    accepts: /^[\da-f]{32}$/,
  },
  CLOUDFLARE_API_TOKEN: {
    hint: 'an API token of Cloudflare',
    source:
      'https://dash.cloudflare.com/profile/api-tokens, Create Token: the template "Edit Cloudflare Workers", with your account and your domain.',
    accepts: /^[\w-]{20,}$/,
    isSecret: true,
  },
  PUBLIC_DEV_MODE: {
    hint: 'whether the page’s email call goes to the dev API base: true or false',
    accepts: flag,
    isOptional: true,
  },
  RESEND_BASE_URL: {
    hint: 'the URL of an API like Resend’s, such as http://127.0.0.1:3000',
    usedBy: ['resend-email'],
  },
  SUPABASE_URL: {
    hint: 'the URL of the project: https://<reference>.supabase.co',
    usedBy: functionNames,
  },
  SUPABASE_PUBLISHABLE_KEYS: {
    hint: '{"default":"sb_publishable_..."}',
    usedBy: ['resend-email'],
  },
  SUPABASE_SECRET_KEYS: {
    hint: '{"default":"sb_secret_..."}',
    usedBy: functionNames,
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof table;

export const variables: Record<VariableName, Variable> = table;

/** Deployment values by name. A value that is not set has no key. */
export type Values = Partial<Record<VariableName, string>>;

/** Who reads values: one function or all, the build, or the owner with the programs of a deployment. */
export type User = FunctionName | 'functions' | 'build' | 'owner';

/** Lists the names of the values that a user reads. */
export function listVariables(user: User): VariableName[] {
  const names = Object.keys(variables) as VariableName[];
  return names.filter((name) => {
    const { source, usedBy = [] } = variables[name];
    if (user === 'build') return name.startsWith('PUBLIC_');
    if (user === 'owner') return source !== undefined;
    return usedBy.some((one) => user === 'functions' || one === user);
  });
}
