const LONGEST_LINE = 2_000; // characters; Cloudflare leaves longer lines out
const MOST_RULES = 100; // Cloudflare leaves out what comes after

/** Where the rules stand that tell a browser which pages to fetch ahead. */
const speculationRules = '/speculation-rules.json';

/** Features of the browser that no page uses, and that no code on a page is to get at. */
const unusedFeatures = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone'],
  ...['midi', 'payment', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb'],
];

/**
 * Composes the file `_headers`, in the form that Cloudflare and Netlify both read.
 *
 * No header stands in two rules that fit the same address: hosts differ in what they make of that.
 *
 * @param policy The Content-Security-Policy of all pages.
 * @param assets The addresses of files whose names change with their content.
 * @throws Error when a line is longer than hosts read.
 */
export function composeHeaderFile(policy: string, assets: `/${string}`[]): string {
  const rules: [path: string, headers: Record<string, string>][] = [
    ['/*', { ...securityHeaders, 'Content-Security-Policy': policy }],
    [speculationRules, { 'Content-Type': 'application/speculationrules+json' }],
    // Each by its name: a rule for their folder would have a browser remember for a year that a file was missing.
    ...assets.map((path): [string, Record<string, string>] => [path, assetHeaders]),
  ];
  const lines = rules
    // What does not fit is asked for again every time, which takes longer and breaks nothing.
    .slice(0, MOST_RULES)
    .flatMap(([path, headers]) => [
      path,
      ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
    ]);
  const long = lines.find((line) => line.length > LONGEST_LINE);
  if (long) {
    throw new Error(
      `The header ${long.trim().split(':')[0]} is ${long.length} characters long, and hosts read at most ` +
        `${LONGEST_LINE}. Let pages share their inline scripts and styles.`,
    );
  }
  return `${lines.join('\n')}\n`;
}

const securityHeaders = {
  // For this host alone: whether its neighbours can do without plain HTTP is not known here.
  'Strict-Transport-Security': 'max-age=63072000',
  'X-Content-Type-Options': 'nosniff',
  // A form that leaves for the function must say where it comes from. Nobody is told more than that.
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Speculation-Rules': `"${speculationRules}"`,
};

const assetHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
