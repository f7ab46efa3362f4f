import { site } from './site.ts';

/** Returns the URLs of a deployment's site, backend and functions. The site's URL has no trailing slash. */
export function readUrls(values: {
  PUBLIC_SITE_URL: string;
  PUBLIC_SUPABASE_URL: string;
  PUBLIC_EMAIL_FUNCTION_URL?: string | undefined;
  PUBLIC_DEV_MODE: boolean;
}) {
  const supabaseUrl = values.PUBLIC_SUPABASE_URL.replace(/\/$/, '');
  return {
    siteUrl: new URL(values.PUBLIC_SITE_URL).origin,
    supabaseUrl,
    emailFunctionUrl: values.PUBLIC_DEV_MODE
      ? site.devApiBase + site.emailFunctionPath
      : (values.PUBLIC_EMAIL_FUNCTION_URL ?? supabaseUrl + site.emailFunctionPath),
    unsubscribeFunctionUrl: supabaseUrl + site.unsubscribeFunctionPath,
  };
}
