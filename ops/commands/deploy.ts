import type { Command } from 'commander';
import { listVariables, type Values, variables } from '../../shared/variables.ts';
import { confirm, describe, type Options, UsageError } from '../command.ts';
import { useDatabase } from '../database.ts';
import { checkValues } from '../deploy/check-keys.ts';
import { describeStep, planDeployment, runSteps } from '../deploy/steps.ts';
import { say } from '../output.ts';
import { readDeployment, readEnvText } from '../values.ts';

const names = listVariables('owner');

interface Flags {
  dryRun?: true;
  newTokenSecret?: true;
}

export function addDeploy(program: Command): void {
  describe(
    program.command('deploy'),
    'Deploy the database, the functions and the site with the values in .env, and probe what is live.',
    ['deploy --dry-run', 'deploy'],
    'First it checks the values, and the keys with their services. If a step fails, fix the cause and run this again. Without a .env file, it takes the values from the environment.',
  )
    .option('--dry-run', 'check the values, list the steps and change nothing')
    .option('--new-token-secret', 'accept a new TOKEN_SECRET, because the one of the live site is lost')
    .option('--yes', 'do not ask about --new-token-secret')
    .action(async ({ dryRun, newTokenSecret, yes, json }: Options & Flags) => {
      if (json) throw new UsageError('--json: deploy prints no JSON.');
      const values = readDeployment();
      const { obstacles, remark } = await checkValues(values, readEnvText(), newTokenSecret);
      if (obstacles > 0) throw new Error(`Nothing was changed.${remark}`);
      const steps = planDeployment(values);
      if (dryRun) return say(...steps.map(describeStep), `Nothing was changed: this was a dry run.${remark}`);
      if (newTokenSecret) {
        await confirm(`${lostSecret} Go on?`, yes);
        await useDatabase(values, (sql) => sql`delete from private.deployment where true`);
      }
      const redact = makeRedaction(values);
      const failed = await runSteps(steps, readSurroundings(process.env), (line) => say(redact(line)));
      if (failed) {
        throw new Error(
          `The step "${failed.name}" failed, and no later step was run. Fix the problem that it reports above, and deploy again. ${failed.help ?? ''}`.trimEnd(),
        );
      }
      say(`${values.PUBLIC_SITE_URL} is live.`);
    });
}

const lostSecret =
  'With a new TOKEN_SECRET, the unsubscribe links of all emails that were sent stop working, addresses that bounced, complained or were barred are mailed again if they join again, and older backups cannot be restored.';

/** Returns the environment without the deployment values, because each program gets only the values that it needs. */
export function readSurroundings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const hidden = new Set<string>(names);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !hidden.has(name)));
}

/** Returns a function that hides the secret values in a text. */
export function makeRedaction(values: Values): (text: string) => string {
  const secrets = names
    .filter((name) => variables[name].isSecret)
    .flatMap((name) => values[name] ?? [])
    .concat(values.TOKEN_SECRET?.match(/[^,\s]+/g) ?? [])
    // The longest first, because one secret may be the beginning of another.
    .sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text);
}
