import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { edgeFunction, functionNames } from '../../local/parts.ts';
import { findFreePort, prepareDataDir, readSettings } from '../../local/settings.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-function-'));
const settings = readSettings({ DATA_DIR: dataDir });
prepareDataDir(dataDir);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe.each(functionNames)('the function %s', (name) => {
  it('does not start without its configuration, and names all that is missing', async () => {
    const { command, args, options } = edgeFunction(settings, name, await findFreePort(), { watch: false });
    const env = { ...options?.env, TOKEN_SECRET: 'short', SITE_URL: '', SUPABASE_SECRET_KEYS: 'x' };
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += chunk));
    const [code] = await once(child, 'close');
    expect(code).not.toBe(0);
    expect(errors).toContain('TOKEN_SECRET is malformed: set it to a random text of at least 32 characters');
    expect(errors).toContain('SITE_URL is missing');
    expect(errors).toContain('SUPABASE_SECRET_KEYS is malformed');
  });

  it('is deployed from where it lies, and checks by itself whom it answers', () => {
    const config = readFileSync(resolve(settings.root, 'supabase/config.toml'), 'utf8');
    const section = new RegExp(`\\[functions\\.${name}\\]\\n([^[]*)`).exec(config)?.[1];
    expect(section).toContain('verify_jwt = false');
    expect(section).toContain(`entrypoint = "../functions/${name}/index.ts"`);
  });
});
