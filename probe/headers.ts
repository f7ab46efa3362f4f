import { type Finding, judge } from './finding.ts';
import type { LiveForm, LivePage } from './pages.ts';

const rules: Record<string, (value: string) => boolean> = {
  'strict-transport-security': (value) => /max-age=[1-9]\d{6,}/.test(value),
  'x-content-type-options': (value) => value === 'nosniff',
  'referrer-policy': (value) => !value.includes('unsafe-url'),
  'permissions-policy': () => true,
  'cross-origin-opener-policy': (value) => value.startsWith('same-origin'),
};

const todo = 'Deploy the site again. Another host than Cloudflare must send the headers in dist/_headers.';

/** Checks the security headers of every page, except the policy. */
export function checkHeaders(pages: LivePage[]): Finding {
  const faults = pages.flatMap(({ path, headers }) =>
    Object.entries(rules).flatMap(([name, accepts]) => {
      const value = headers.get(name);
      if (value === null) return [`${path} has no ${name}`];
      return accepts(value) ? [] : [`${path} has ${name}: ${value}`];
    }),
  );
  return judge('headers', faults, `${Object.keys(rules).length} security headers on every page`, todo);
}

/** Checks that the policy of every page is strict, and allows what the form has to call. */
export function checkPolicy(pages: LivePage[], form: LiveForm | undefined): Finding {
  const faults = pages.flatMap(({ path, headers }) => {
    const policy = headers.get('content-security-policy');
    if (policy === null) return [`${path} has no content-security-policy`];
    return findPolicyFaults(policy, form).map((fault) => `${path} ${fault}`);
  });
  return judge('policy', faults, 'strict on every page, without unsafe-*', todo);
}

function findPolicyFaults(policy: string, form: LiveForm | undefined): string[] {
  const directives = new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name.toLowerCase(), sources];
    }),
  );
  const faults = [...directives].flatMap(([name, sources]) =>
    sources.filter((source) => /^'unsafe-/.test(source)).map((source) => `allows ${source} in ${name}`),
  );
  for (const name of ['default-src', 'base-uri', 'frame-ancestors'])
    if (!directives.has(name)) faults.push(`lacks ${name}`);
  const { origin } = form ? new URL(form.functionUrl) : {};
  for (const name of ['connect-src', 'form-action']) {
    const sources = directives.get(name);
    if (origin && !sources?.includes(origin)) faults.push(`keeps the form from calling ${origin} (${name})`);
  }
  return faults;
}
