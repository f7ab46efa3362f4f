// Runs before the commands of package.json. It is plain JavaScript, because an older Node cannot run TypeScript.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24)
  stop(1, `This is Node ${major}. Install Node 24: on Linux with npm ci, on macOS from nodejs.org.`);
// npm writes this file last.
if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url)))
  stop(1, 'The packages of this project are not installed. Run npm ci.');

const {
  npm_lifecycle_event: script,
  npm_lifecycle_script: line = '',
  npm_execpath: npm,
  ...environment
} = process.env;
const kept = script ? findKeptFlags() : [];
const takesNoFlags = script === 'start' || script === 'dev';
const others = takesNoFlags ? process.argv.slice(2).filter((argument) => argument !== '--dev') : [];
if (kept.length + others.length > 0) {
  const flags = kept.map(({ flag }) => flag).join(' and ');
  const variables = kept.map(({ variable }) => variable).join(' and ');
  const advice = takesNoFlags
    ? 'Nothing was done: npm start and npm run dev take no flags. Set variables instead, such as SITE_PORT=8080 npm start. docs/architecture.md lists them under "The local stack".'
    : `Nothing was done, because npm took ${flags} as its own setting. Run: npm run ${script} -- ${repairArguments()}`;
  const hint = flags && `\nIf you did not type ${flags}, unset ${variables} in your environment.`;
  stop(2, advice + hint);
}

/**
 * Finds the flags that were typed without `--` before them. npm 10 and 11 treat every such flag as one of npm's settings
 * and put it into the environment as npm_config_<name>; npm 12 does so only with flags that it knows.
 */
function findKeptFlags() {
  // Flags of our commands that are also npm settings. npm expands --to to one of its own.
  const shared = { dry_run: '--dry-run', json: '--json', yes: '--yes', token_description: '--to' };
  const own = readSettingsOfNpm();
  const stored = readStoredSettings();
  return Object.entries(environment).flatMap(([variable, value]) => {
    const name = /^npm_config_(\w+)$/.exec(variable)?.[1];
    // A setting that is off is an empty string. Of those, only -n and --no matter: they are meant to stop something.
    if (!name || stored.get(name) === Boolean(value) || (!value && name !== 'yes')) return [];
    const unknown = own && !own.has(name) ? `--${name.replaceAll('_', '-')}` : undefined;
    const flag = value ? (shared[name] ?? unknown) : '-n';
    return flag && !process.argv.includes(flag) ? [{ flag, value: value || 'true', variable }] : [];
  });
}

/** Lists the settings that npm defines or sets by itself; `undefined` for another package manager. */
function readSettingsOfNpm() {
  try {
    const { definitions } = createRequire(npm)('@npmcli/config/lib/definitions');
    const names = [...Object.keys(definitions), 'global_prefix', 'local_prefix', 'npm_version', 'node_gyp'];
    return new Set(names.map((name) => name.replaceAll('-', '_')));
  } catch {
    return undefined;
  }
}

/** Reads which settings npmrc files switch on or off, because npm passes them on in the same way as flags. */
function readStoredSettings() {
  const { npm_config_userconfig: user, npm_config_globalconfig: global } = environment;
  return new Map(
    [global, user, '.npmrc'].flatMap((file) => {
      try {
        const lines = readFileSync(file, 'utf8').matchAll(/^\s*([\w-]+)(?:\[\])?\s*(=\s*false\b)?/gm);
        return [...lines].map(([, name, isOff]) => [name.replaceAll('-', '_').toLowerCase(), !isOff]);
      } catch {
        return [];
      }
    }),
  );
}

/** Puts the flags back. If npm does not know a flag, the flag's value became a separate argument. */
function repairArguments() {
  const forms = { limit: /^\d+$/, to: /@/, output: /[./]/ };
  const rest = process.argv.slice(2).filter((argument) => !line.split(' ').includes(argument));
  const flags = kept.map(({ flag, value }) => {
    if (value !== 'true') return `${flag} ${value}`;
    const form = forms[flag.slice(2)];
    const index = form ? rest.findIndex((argument) => form.test(argument)) : -1;
    return index < 0 ? flag : `${flag} ${rest.splice(index, 1)[0]}`;
  });
  return [...rest, ...flags].join(' ');
}

function stop(status, message) {
  console.error(message);
  process.exit(status);
}
