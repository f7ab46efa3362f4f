// Runs before the commands of package.json. It is plain JavaScript, because an older Node cannot run TypeScript.
import { existsSync, readFileSync } from 'node:fs';

const [major] = process.versions.node.split('.');
if (Number(major) < 24)
  stop(1, `This is Node ${major}. Install Node 24: on Linux with npm ci, on macOS from nodejs.org.`);
// npm writes this file last.
if (!existsSync(new URL('../../node_modules/.package-lock.json', import.meta.url)))
  stop(1, 'The packages of this project are not installed. Run npm ci.');

// npm takes flags without `--` before them as its own settings, and hands them on as npm_config_<name>. A command must not run
// without a flag that somebody typed: these are the flags of our commands, and what a value looks like.
const forms = {
  first: /^\d+$/,
  from: /^\d{4}-/,
  limit: /^\d+$/,
  output: /[./]/,
  port: /^\d+$/,
  to: /@/,
  until: /^\d{4}-/,
};
const flags = ['dry-run', 'hosted', 'json', 'resume', 'stop', 'watch', 'yes', ...Object.keys(forms)];
const { npm_lifecycle_event: script = '', ...settings } = process.env;
const words = process.argv.slice(2);
const lost = flags.flatMap((flag) => {
  const value = readSetting(flag);
  // npm reads -n, which means a dry run elsewhere, as `--no-yes`.
  if (!value) return value === '' && flag === 'yes' ? ['--dry-run'] : [];
  if (value !== 'true') return [`--${flag}`, value];
  // npm does not know that this flag has a value, so the value became a word.
  const place = words.findIndex((word) => forms[flag]?.test(word));
  return [`--${flag}`, ...(place < 0 ? [] : words.splice(place, 1))];
});
if (script === 'start' || script === 'dev') {
  if (lost.length > 0 || words.some((word) => word !== '--dev'))
    stop(2, 'Nothing was done: this command has no flags. Set variables instead: SITE_PORT=8080 npm start');
} else if (lost.length > 0)
  stop(
    2,
    `Nothing was done, because npm took ${lost.join(' ')} for itself. Type: npm run ${script} -- ${[...words, ...lost].join(' ')}`,
  );

/** Returns what npm took; `undefined` for what it has from an npmrc. */
function readSetting(flag) {
  const name = `npm_config_${flag.replace('-', '_')}`;
  const { npm_config_globalconfig: global, npm_config_userconfig: user } = settings;
  const files = ['yes', 'json'].includes(flag) ? [global, user, '.npmrc'].filter(existsSync) : [];
  const isStored = files.some((file) => new RegExp(`^\\s*${flag}\\b`, 'm').test(readFileSync(file, 'utf8')));
  // npm takes --to as the beginning of a name.
  return isStored
    ? undefined
    : (settings[name] ?? (flag === 'to' ? settings.npm_config_token_description : undefined));
}

function stop(status, message) {
  console.error(message);
  process.exit(status);
}
