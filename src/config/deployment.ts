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
import { readUrls } from './deployment-urls.ts';
import { site } from './site.ts';

/** Whether forms report a failed sign-up. Exported directly, so that a build without the notice ships none of its code. */
export { PUBLIC_FAILURE_NOTICE as hasFailureNotice } from 'astro:env/client';

/** Whether this build only shows a branch before it is public. Not part of `deployment`, so that scripts do not contain it. */
export const isPreview = PUBLIC_SITE_URL === site.previewUrl;

/** The values that differ between deployments. The build checks them. */
export const deployment = {
  ...readUrls({
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
