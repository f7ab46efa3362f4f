import type { Check } from './check.ts';

/** The part of Node's DNS resolver that is used. */
export interface Resolver {
  resolveTxt(name: string): Promise<string[][]>;
  resolveMx(name: string): Promise<{ exchange: string }[]>;
}

interface MailRecord {
  purpose: string;
  type: 'TXT' | 'MX';
  /** One of these names must have the record. The first is the one to create. */
  names: string[];
  /** What the value looks like. Resend shows the exact one. */
  sample: string;
  isFulfilledBy(value: string): boolean;
}

/** Returns the domain of a sender, which is `Name <address>` or an address. */
export function readDomain(sender: string): string {
  return sender.slice(sender.lastIndexOf('@') + 1).replace(/>?\s*$/, '');
}

/** Lists the DNS records that a sender's domain needs, so that mail servers trust its messages. */
export function listMailRecords(domain: string): MailRecord[] {
  const labels = domain.split('.');
  // All but the last label: no rule tells where a registered domain begins, as with co.uk.
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
  return [
    {
      purpose: 'DKIM, the signature',
      type: 'TXT',
      names: [`resend._domainkey.${domain}`],
      sample: 'p=…',
      isFulfilledBy: (value) => value.includes('p='),
    },
    {
      purpose: 'SPF, who may send',
      type: 'TXT',
      names: [`send.${domain}`],
      sample: 'v=spf1 include:amazonses.com ~all',
      isFulfilledBy: (value) => value.startsWith('v=spf1') && value.includes('amazonses.com'),
    },
    {
      purpose: 'SPF, where bounces go',
      type: 'MX',
      names: [`send.${domain}`],
      sample: '10 feedback-smtp.….amazonses.com',
      isFulfilledBy: (value) => value.includes('amazonses.com'),
    },
    {
      purpose: 'DMARC, what receivers do with forgeries',
      type: 'TXT',
      names: [domain, ...parents].map((name) => `_dmarc.${name}`),
      sample: 'v=DMARC1; p=none;',
      isFulfilledBy: (value) => /^v=DMARC1\b/i.test(value),
    },
  ];
}

/** Looks the records up. Never throws: a record that cannot be looked up is unchecked. */
export function checkMailRecords(domain: string, resolver: Resolver): Promise<Check[]> {
  return Promise.all(listMailRecords(domain).map((record) => lookUp(record, resolver)));
}

async function lookUp(
  { purpose, type, names, sample, isFulfilledBy }: MailRecord,
  resolver: Resolver,
): Promise<Check> {
  const subject = `${type} ${names[0]}`;
  try {
    for (const name of names) {
      const values = await resolve(type, name, resolver);
      if (values.some(isFulfilledBy)) return { subject, state: 'good', text: purpose };
    }
    return { subject, state: 'look', text: `${purpose}: missing. It looks like ${sample}` };
  } catch {
    return { subject, state: 'unchecked', text: `${purpose}: DNS cannot be reached from here` };
  }
}

async function resolve(type: 'TXT' | 'MX', name: string, resolver: Resolver): Promise<string[]> {
  try {
    if (type === 'MX') return (await resolver.resolveMx(name)).map(({ exchange }) => exchange);
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw error;
  }
}
