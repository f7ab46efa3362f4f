import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { listVariables } from '../../shared/variables.ts';
import { makeEnvironment, SiteCopy } from '../pages/site-copy.ts';

/** Deployment values without faults. None of them gives access to anything. */
export const completeValues = {
  PUBLIC_SITE_URL: 'https://stash.test',
  TOKEN_SECRET: 'token-secret-of-the-tests-0123456789',
  PUBLIC_SUPABASE_URL: 'https://abcdefghijklmnopqrst.supabase.co',
  PUBLIC_SUPABASE_ANON_KEY: 'sb_publishable_of_the_tests',
  SUPABASE_SECRET_KEY: 'sb_secret_of_the_tests',
  SUPABASE_DB_URL:
    'postgresql://postgres.abcdefghijklmnopqrst:[YOUR-PASSWORD]@pooler.supabase.test:5432/postgres',
  SUPABASE_DB_PASSWORD: 'postgres',
  SUPABASE_ACCESS_TOKEN: 'sbp_0123456789012345678901234567890123456789',
  RESEND_API_KEY: 're_of_the_tests',
  PUBLIC_EMAIL_SENDER: "Stash O'Mark <hello@stash.test>",
  PUBLIC_UNSUBSCRIBE_ADDRESS: 'leave@stash.test',
  PUBLIC_SUPPORT_EMAIL: 'help@stash.test',
  PUBLIC_SUPPORT_PHONE: '+49 30 5550142',
  PUBLIC_POSTAL_ADDRESS: 'Stash Ltd, 1 Way, 12345 Town',
  CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
  CLOUDFLARE_API_TOKEN: 'cloudflare-token-of-the-tests',
};

/** A copy of the project for tests to set up and deploy. */
export class Project extends SiteCopy {
  constructor() {
    super({ others: ['ops', 'supabase', 'wrangler.jsonc'] });
  }

  /** Runs a program of the project. Resolves to its exit status and the output that a person would see. */
  async run(program: string, args: string[], environment: Record<string, string>) {
    const child = spawn(process.execPath, [join(this.folder, program), ...args], {
      cwd: this.folder,
      env: { ...this.surroundings, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const [status] = await once(child, 'close');
    return { status: Number(status), output };
  }

  /** The environment without the variables of tests and deployments, and with a home folder of its own. */
  get surroundings(): Record<string, string> {
    const home = join(this.folder, 'home');
    mkdirSync(home, { recursive: true });
    const names = new Set<string>(listVariables('owner'));
    const inherited = Object.entries(makeEnvironment({})).filter(
      ([name]) => !names.has(name) && !/^(GITHUB|CLOUDFLARE|SUPABASE)_/.test(name),
    );
    return {
      ...Object.fromEntries(inherited),
      HOME: home,
      XDG_CONFIG_HOME: home,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'services-on-loopback.mjs')}`,
    };
  }
}
