import { fileURLToPath } from 'node:url';
import { envField } from 'astro/config';
import type { AstroIntegration } from 'astro';
import { loadEnv } from 'vite';
import { isSender, parseEmailAddress } from '../functions/email-address.ts';
import { placeholders, social } from './site.ts';

// Reserved by RFC 2606, or what the documentation writes in the place of a reader's own.
const RESERVED =
  /(^|\.)(example(\.(com|net|org))?|your-domain(\..+)?|your-project\..+|name\.account\.workers\.dev)$/;

const text = { context: 'client', access: 'public' } as const;

/** The per-deployment values, typed for `astro:env/client`. All of them are public: they are in the pages. */
export const environmentSchema = {
  PUBLIC_SITE_URL: envField.string({ ...text }),
  PUBLIC_SUPABASE_URL: envField.string({ ...text }),
  PUBLIC_SUPABASE_ANON_KEY: envField.string({ ...text }),
  PUBLIC_EMAIL_FUNCTION_URL: envField.string({ ...text, optional: true }),
  PUBLIC_EMAIL_SENDER: envField.string({ ...text, default: placeholders.PUBLIC_EMAIL_SENDER }),
  PUBLIC_SUPPORT_EMAIL: envField.string({ ...text, default: placeholders.PUBLIC_SUPPORT_EMAIL }),
  PUBLIC_SUPPORT_PHONE: envField.string({ ...text, default: placeholders.PUBLIC_SUPPORT_PHONE }),
  PUBLIC_UNSUBSCRIBE_ADDRESS: envField.string({ ...text, default: placeholders.PUBLIC_UNSUBSCRIBE_ADDRESS }),
  PUBLIC_POSTAL_ADDRESS: envField.string({ ...text, default: placeholders.PUBLIC_POSTAL_ADDRESS }),
  PUBLIC_DEV_MODE: envField.boolean({ ...text, default: false }),
  PUBLIC_FAILURE_NOTICE: envField.boolean({ ...text, default: false }),
};

type Variable = keyof typeof environmentSchema;

interface Rule {
  required?: true;
  accepts(value: string): boolean;
  hint: string;
}

const rules: Record<Variable, Rule> = {
  PUBLIC_SITE_URL: {
    required: true,
    accepts: isOrigin,
    hint: 'the address of the site without a path: https:// and your own domain',
  },
  PUBLIC_SUPABASE_URL: {
    required: true,
    accepts: isOrigin,
    hint: 'the address of the Supabase project without a path: https://<reference>.supabase.co',
  },
  PUBLIC_SUPABASE_ANON_KEY: {
    required: true,
    accepts: isPublicKey,
    hint: 'the publishable key of the Supabase project (sb_publishable_...), never a secret one: it is in the pages',
  },
  PUBLIC_EMAIL_FUNCTION_URL: {
    accepts: isWebUrl,
    hint: 'the address of the e-mail function, or leave it out for the one of the Supabase project',
  },
  PUBLIC_EMAIL_SENDER: {
    accepts: isSender,
    hint: 'the sender of the welcome e-mail: Name <hello@…>, at your own domain',
  },
  PUBLIC_SUPPORT_EMAIL: { accepts: isAddress, hint: 'one e-mail address' },
  PUBLIC_SUPPORT_PHONE: {
    accepts: (value) => /^\+?[\d ()./-]{5,25}$/.test(value),
    hint: 'a phone number such as +1 (555) 555-0142',
  },
  PUBLIC_UNSUBSCRIBE_ADDRESS: { accepts: isAddress, hint: 'one e-mail address' },
  PUBLIC_POSTAL_ADDRESS: {
    accepts: (value) => value.includes(','),
    hint: 'who is responsible for the site and where, in one line: Name, Street 1, 12345 Town',
  },
  PUBLIC_DEV_MODE: { accepts: isSwitch, hint: 'true or false' },
  PUBLIC_FAILURE_NOTICE: { accepts: isSwitch, hint: 'true or false' },
};

type EnvironmentValues = Record<Extract<Variable, 'PUBLIC_SITE_URL' | 'PUBLIC_SUPABASE_URL'>, string> &
  Partial<Record<Variable, string>>;

/** Reads the per-deployment values from the environment and from `.env`. They are what a build that did not stop had. */
export function readEnvironment(mode: 'production' | 'development', root: URL): EnvironmentValues {
  return { ...loadEnv(mode, fileURLToPath(root), 'PUBLIC_'), ...process.env } as EnvironmentValues;
}

/** Lists what is wrong with the per-deployment values, a sentence each that names the variable and says what to do. */
export function findEnvironmentFaults(environment: Record<string, string | undefined>): string[] {
  return Object.entries(rules).flatMap(([variable, { required, accepts, hint }]) => {
    const value = environment[variable];
    if (value === undefined) return required ? [`${variable} is missing: set it to ${hint}.`] : [];
    // An empty value would silently become the default.
    if (value.trim() === '') return [`${variable} is empty: set it to ${hint}.`];
    return accepts(value) ? [] : [`${variable} is malformed: set it to ${hint}.`];
  });
}

/** Lists what still stands at a value that the product is shipped with. */
export function findPlaceholders(environment: Record<string, string | undefined>): string[] {
  const shipped: Record<string, string> = placeholders;
  const values = Object.keys(rules).flatMap((variable) => {
    const value = environment[variable] ?? shipped[variable] ?? '';
    const found = value === shipped[variable] ? value : findReservedHost(value);
    return found ? [`${variable} (${found})`] : [];
  });
  const links = Object.entries(social).flatMap(([name, { link, alternative }]) =>
    Object.entries({ link, alternative })
      .filter(([, address]) => findReservedHost(address))
      .map(([field, address]) => `social.${name}.${field} in src/site.ts (${address})`),
  );
  return [...values, ...links];
}

/** Stops a build or a dev server whose per-deployment values are not usable, and names the placeholders after a build. */
export function environment(): AstroIntegration {
  let values: EnvironmentValues;
  return {
    name: 'environment',
    hooks: {
      'astro:config:setup'({ command, config, updateConfig }) {
        if (command !== 'build' && command !== 'dev') return;
        values = readEnvironment(command === 'build' ? 'production' : 'development', config.root);
        const faults = findEnvironmentFaults(values);
        // Without a stack: what helps is the names.
        if (faults.length > 0) throw Object.assign(new Error(faults.join('\n')), { stack: '' });
        updateConfig({ site: values.PUBLIC_SITE_URL });
      },
      'astro:build:done'({ logger }) {
        const remaining = findPlaceholders(values);
        if (remaining.length === 0 || isLoopback(values['PUBLIC_SITE_URL'])) return;
        logger.warn(`Placeholders are still there:\n${remaining.map((line) => `  ${line}`).join('\n')}`);
      },
    },
  };
}

function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username } = new URL(value);
  const isPublic = protocol === 'https:' && hostname.includes('.');
  return (isPublic || isLoopback(value)) && /^https?:$/.test(protocol) && search + hash + username === '';
}

function isOrigin(value: string): boolean {
  return isWebUrl(value) && new URL(value).pathname === '/';
}

function isSwitch(value: string): boolean {
  return /^(true|false)$/.test(value);
}

function isLoopback(value = ''): boolean {
  return URL.canParse(value) && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(value).hostname);
}

/** Finds the first host or mail domain in a value that is there for examples alone; `undefined` when there is none. */
export function findReservedHost(value: string): string | undefined {
  const hosts = [...value.matchAll(/(?:\/\/|@)([^\s/:?#,<>@]+)/g)].map(([, host = '']) => host.toLowerCase());
  return hosts.find((host) => RESERVED.test(host));
}

function isAddress(value: string): boolean {
  return parseEmailAddress(value) !== undefined;
}

function isPublicKey(value: string): boolean {
  if (value.startsWith('sb_publishable_')) return /^[\w-]+$/.test(value);
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(value)?.[1];
  if (payload === undefined) return false;
  try {
    // The legacy public key is a token for the role "anon"; the secret one looks alike but for the role.
    return JSON.parse(Buffer.from(payload, 'base64url').toString()).role === 'anon';
  } catch {
    return false;
  }
}
