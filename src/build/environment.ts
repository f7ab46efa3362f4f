import { fileURLToPath } from 'node:url';
import { envField } from 'astro/config';
import type { AstroIntegration } from 'astro';
import { loadEnv } from 'vite';
import { flag, isLoopback } from '../../shared/formats.ts';
import { type Fault, findFault } from '../../shared/read-values.ts';
import { listVariables, variables, type Values } from '../../shared/variables.ts';
import { findPlaceholder, findPlaceholderLinks, shipped } from '../config/placeholders.ts';
import { site } from '../config/site.ts';

const buildVariables = listVariables('build');

/** The deployment values that the pages use, typed for `astro:env/client`. All of them are public. */
export const environmentSchema = Object.fromEntries(
  buildVariables.map((name) => {
    const { accepts, isOptional } = variables[name];
    const field = { context: 'client', access: 'public' } as const;
    if (accepts === flag) return [name, envField.boolean({ ...field, default: false })];
    return [name, envField.string({ ...field, optional: isOptional, default: shipped[name] })];
  }),
);

/**
 * The values of a preview: a branch that somebody looks at before it is public. It has no URL and no key of the real project, so
 * it can sign nobody up.
 */
const previewValues = {
  PUBLIC_SITE_URL: site.previewUrl,
  PUBLIC_SUPABASE_URL: site.previewUrl,
  PUBLIC_SUPABASE_ANON_KEY: 'sb_publishable_preview',
  PUBLIC_EMAIL_FUNCTION_URL: `${site.previewUrl}${site.emailFunctionPath}`,
  PUBLIC_DEV_MODE: 'false',
  PUBLIC_FAILURE_NOTICE: 'true',
} satisfies Values;

type EnvironmentValues = Values & Record<'PUBLIC_SITE_URL' | 'PUBLIC_SUPABASE_URL', string>;

/** Reads the deployment values from the environment and from `.env`. Until the build has checked them, any may be missing. */
export function readEnvironment(mode: 'production' | 'development', root: URL): EnvironmentValues {
  return loadEnv(mode, fileURLToPath(root), 'PUBLIC_') as EnvironmentValues;
}

/** Lists what is wrong with the values that a build uses. A value with a placeholder may be missing. */
export function findEnvironmentFaults(environment: Values): Fault[] {
  return buildVariables.flatMap((name) => findFault(name, environment[name] ?? shipped[name]) ?? []);
}

/** Lists the values and links of a build that are still placeholders. */
export function findPlaceholders(environment: Values): Fault[] {
  const values = buildVariables.flatMap(
    (name) => findPlaceholder(name, environment[name] ?? shipped[name] ?? '') ?? [],
  );
  return [...values, ...findPlaceholderLinks()];
}

/** Stops a build or the development server when values are wrong, and warns about placeholders after a build. */
export function environment(): AstroIntegration {
  // Cloudflare sets it where it builds branches: https://developers.cloudflare.com/workers/ci-cd/builds/configuration/
  if (process.env['WORKERS_CI']) Object.assign(process.env, previewValues);
  let values: EnvironmentValues;
  return {
    name: 'environment',
    hooks: {
      'astro:config:setup'({ command, config, updateConfig }) {
        if (command !== 'build' && command !== 'dev') return;
        values = readEnvironment(command === 'build' ? 'production' : 'development', config.root);
        const faults = findEnvironmentFaults(values);
        // A stack trace would only hide the names.
        if (faults.length > 0)
          throw Object.assign(new Error(faults.map(({ text }) => text).join('\n')), { stack: '' });
        updateConfig({ site: values.PUBLIC_SITE_URL });
      },
      'astro:build:done'({ logger }) {
        const remaining = findPlaceholders(values).map(({ text }) => text);
        if (remaining.length === 0 || isLoopback(values.PUBLIC_SITE_URL)) return;
        logger.warn(`This build still has placeholders:\n${remaining.map((line) => `  ${line}`).join('\n')}`);
      },
    },
  };
}
