import { describe, expect, it } from 'vitest';
import { checkMailRecords, type Resolver } from '../../deploy/mail-records.ts';

const complete: Record<string, string> = {
  'TXT resend._domainkey.mail.stash.test': 'k=rsa; p=MIGf',
  'TXT send.mail.stash.test': 'v=spf1 include:amazonses.com ~all',
  'MX send.mail.stash.test': 'feedback-smtp.eu-west-1.amazonses.com',
  'TXT _dmarc.mail.stash.test': 'v=DMARC1; p=none;',
};

function answer(records: Record<string, string>): Resolver {
  const find = (name: string) => {
    if (records[name] === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return records[name];
  };
  return {
    resolveTxt: async (name) => [[find(`TXT ${name}`).slice(0, 3), find(`TXT ${name}`).slice(3)]],
    resolveMx: async (name) => [{ exchange: find(`MX ${name}`) }],
  };
}

async function statesOf(resolver: Resolver): Promise<Record<string, string>> {
  const findings = await checkMailRecords('mail.stash.test', resolver);
  return Object.fromEntries(findings.map(({ subject, state }) => [subject, state]));
}

describe('the DNS records of a sender', () => {
  it('are found when all exist', async () => {
    expect(Object.values(await statesOf(answer(complete)))).toEqual(['good', 'good', 'good', 'good']);
  });

  it.each(Object.keys(complete))('need a look when %s is missing', async (name) => {
    const { [name]: _, ...others } = complete;
    const states = await statesOf(answer(others));
    expect(Object.entries(states).filter(([, state]) => state === 'look')).toEqual([[name, 'look']]);
  });

  it('do not count when they are somebody else’s', async () => {
    const states = await statesOf(answer({ ...complete, 'TXT send.mail.stash.test': 'v=spf1 -all' }));
    expect(states['TXT send.mail.stash.test']).toBe('look');
  });

  it('take the DMARC record of the domain above', async () => {
    const { 'TXT _dmarc.mail.stash.test': dmarc = '', ...others } = complete;
    const states = await statesOf(answer({ ...others, 'TXT _dmarc.stash.test': dmarc }));
    expect(states['TXT _dmarc.mail.stash.test']).toBe('good');
  });

  it('take the DMARC record of any domain above, also below a suffix of two parts', async () => {
    const [, , , dmarc] = await checkMailRecords(
      'mail.shop.co.uk',
      answer({ 'TXT _dmarc.shop.co.uk': 'v=DMARC1; p=none;' }),
    );
    expect(dmarc).toMatchObject({ subject: 'TXT _dmarc.mail.shop.co.uk', state: 'good' });
  });

  it('are unchecked without DNS', async () => {
    const refuse = async () => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    };
    const states = await statesOf({ resolveTxt: refuse, resolveMx: refuse });
    expect(Object.values(states)).toEqual(['unchecked', 'unchecked', 'unchecked', 'unchecked']);
  });
});
