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
import { readAddresses } from './deployment-addresses.ts';

/** Whether a form says so when its sign-up failed. Passed on as it is, so that a build without it ships nothing of it. */
export { PUBLIC_FAILURE_NOTICE as hasFailureNotice } from 'astro:env/client';

/** The facts that differ from one deployment to the next, checked when the site is built. */
export const deployment = {
  ...readAddresses({
    PUBLIC_SITE_URL,
    PUBLIC_SUPABASE_URL,
    PUBLIC_EMAIL_FUNCTION_URL,
    PUBLIC_DEV_MODE,
  }),
  publicKey: PUBLIC_SUPABASE_ANON_KEY,
  sender: PUBLIC_EMAIL_SENDER,
  supportEmail: PUBLIC_SUPPORT_EMAIL,
  supportPhone: PUBLIC_SUPPORT_PHONE,
  postalAddress: PUBLIC_POSTAL_ADDRESS,
  unsubscribeAddress: PUBLIC_UNSUBSCRIBE_ADDRESS,
};
