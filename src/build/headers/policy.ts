import type { readUrls } from '../../config/deployment-urls.ts';
import type { readInlineCode } from './inline-code.ts';

/**
 * Composes the Content-Security-Policy of the site. It allows only its own files, its own inline code, and its backend. All
 * pages share it: hosts send the headers of every rule that matches a URL, and a browser that gets two policies allows only
 * what both allow.
 */
export function composePolicy(code: ReturnType<typeof readInlineCode>, urls: ReturnType<typeof readUrls>) {
  const { siteUrl, supabaseUrl, emailFunctionUrl, unsubscribeFunctionUrl } = urls;
  const directives: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...code.scripts],
    'style-src': code.styles,
    'img-src': ["'self'"],
    'font-src': ["'self'"],
    'connect-src': readOrigins([supabaseUrl, emailFunctionUrl]),
    // The function redirects back to the site, and browsers check the policy on that redirect too.
    'form-action': ["'self'", ...readOrigins([siteUrl, emailFunctionUrl, unsubscribeFunctionUrl])],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}

function readOrigins(urls: string[]): string[] {
  return [...new Set(urls.map((url) => new URL(url).origin))];
}
