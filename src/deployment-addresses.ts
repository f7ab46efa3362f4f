import { site } from './site.ts';

interface AddressValues {
  PUBLIC_SITE_URL: string;
  PUBLIC_SUPABASE_URL: string;
  PUBLIC_EMAIL_FUNCTION_URL?: string | undefined;
  PUBLIC_DEV_MODE: boolean;
}

/** Works out where site, backend and functions of a deployment are. The site's address has no slash at its end. */
export function readAddresses(values: AddressValues) {
  const supabaseUrl = values.PUBLIC_SUPABASE_URL.replace(/\/$/, '');
  return {
    siteUrl: new URL(values.PUBLIC_SITE_URL).origin,
    supabaseUrl,
    emailFunctionUrl: values.PUBLIC_DEV_MODE
      ? site.devApiBase + site.emailFunctionPath
      : (values.PUBLIC_EMAIL_FUNCTION_URL ?? supabaseUrl + site.emailFunctionPath),
    leaveFunctionUrl: supabaseUrl + site.leaveFunctionPath,
  };
}
