import {
  PUBLIC_DEV_MODE,
  PUBLIC_EMAIL_FUNCTION_URL,
  PUBLIC_EMAIL_SENDER,
  PUBLIC_POSTAL_ADDRESS,
  PUBLIC_SITE_URL,
  PUBLIC_SUPABASE_ANON_KEY,
  PUBLIC_SUPABASE_URL,
  PUBLIC_SUPPORT_EMAIL,
  PUBLIC_SUPPORT_PHONE,
  PUBLIC_UNSUBSCRIBE_ADDRESS,
} from 'astro:env/client';
import { site } from './site.ts';

const supabaseUrl = PUBLIC_SUPABASE_URL.replace(/\/$/, '');

/** The facts that differ from one deployment to the next, checked when the site is built. */
export const deployment = {
  siteUrl: new URL(PUBLIC_SITE_URL).origin,
  supabaseUrl,
  publicKey: PUBLIC_SUPABASE_ANON_KEY,
  emailFunctionUrl: PUBLIC_DEV_MODE
    ? site.devApiBase + site.emailFunctionPath
    : (PUBLIC_EMAIL_FUNCTION_URL ?? supabaseUrl + site.emailFunctionPath),
  leaveFunctionUrl: supabaseUrl + site.leaveFunctionPath,
  sender: PUBLIC_EMAIL_SENDER,
  supportEmail: PUBLIC_SUPPORT_EMAIL,
  supportPhone: PUBLIC_SUPPORT_PHONE,
  postalAddress: PUBLIC_POSTAL_ADDRESS,
  unsubscribeAddress: PUBLIC_UNSUBSCRIBE_ADDRESS,
};
