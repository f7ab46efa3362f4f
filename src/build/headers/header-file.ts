/** The file that tells browsers which pages to prefetch. */
const speculationRules = '/speculation-rules.json';

/**
 * Composes the file `_headers`, in the format that Cloudflare and Netlify share, from the Content-Security-Policy of all pages and
 * the paths of files with a hash of their content in the name. No header is in two rules that match the same URL, because hosts
 * disagree on what that means.
 */
export function composeHeaderFile(policy: string, assets: `/${string}`[]): string {
  const rules: [path: string, headers: Record<string, string>][] = [
    ['/*', { ...securityHeaders, 'Content-Security-Policy': policy }],
    [speculationRules, { 'Content-Type': 'application/speculationrules+json' }],
    // One rule per file: with a rule for the folder, browsers would cache a missing file for a year. Cloudflare reads 100 rules;
    // further files are revalidated on every visit, which is slower but breaks nothing.
    ...assets.map((path): [string, Record<string, string>] => [path, assetHeaders]),
  ];
  const lines = rules.flatMap(([path, headers]) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

const securityHeaders = {
  // Without includeSubDomains: other subdomains may still need plain HTTP.
  'Strict-Transport-Security': 'max-age=63072000',
  'X-Content-Type-Options': 'nosniff',
  // The function needs the origin of a native form post. Other sites learn only the origin.
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  // No page needs them.
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Speculation-Rules': `"${speculationRules}"`,
};

const assetHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
