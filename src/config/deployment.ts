import * as values from 'astro:env/client';
import { readUrls } from './deployment-urls.ts';
import { site } from './site.ts';

/** Whether forms report a failed sign-up. Exported directly, so that a build without the notice ships none of its code. */
export { PUBLIC_FAILURE_NOTICE as hasFailureNotice } from 'astro:env/client';

/** Whether this build only shows a branch before it is public. Not part of `deployment`, so that scripts do not contain it. */
export const isPreview = values.PUBLIC_SITE_URL === site.previewUrl;

/** The values that differ between deployments. The build checks them. */
export const deployment = {
  ...readUrls(values),
  publicKey: values.PUBLIC_SUPABASE_ANON_KEY,
  sender: values.PUBLIC_EMAIL_SENDER,
  supportEmail: values.PUBLIC_SUPPORT_EMAIL,
  supportPhone: values.PUBLIC_SUPPORT_PHONE,
  postalAddress: values.PUBLIC_POSTAL_ADDRESS,
  unsubscribeAddress: values.PUBLIC_UNSUBSCRIBE_ADDRESS,
};
