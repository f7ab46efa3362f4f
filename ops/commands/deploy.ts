import type { Command } from 'commander';
import { explain } from '../command.ts';
import { checkValues } from '../deploy/check-values.ts';
import { describeStep, runSteps } from '../deploy/run-steps.ts';
import { planDeployment } from '../deploy/steps.ts';
import { note, say } from '../output.ts';
import { makeRedaction, readDeployment, readEnvText, readSurroundings } from '../values.ts';

export function addDeploy(program: Command): void {
  explain(
    program.command('deploy'),
    'Deploy the database, the functions and the site with the values in .env, and probe what is live.',
    ['deploy --dry-run', 'deploy'],
    'First it checks the values, and the keys with their services. If a step fails, fix the cause and run this again. Without a file .env, it takes the values from the environment.',
  )
    .option('--dry-run', 'check the values, list the steps and change nothing')
    .action(async ({ dryRun }: { dryRun?: true }) => {
      const values = readDeployment();
      const { obstacles, remark } = await checkValues(values, readEnvText());
      if (obstacles > 0) throw new Error(`Nothing was changed.${remark}`);
      const steps = planDeployment(values);
      if (dryRun) return say(...steps.map(describeStep), `Nothing was changed: this was a dry run.${remark}`);
      const redact = makeRedaction(values);
      const { failed, status, looks } = await runSteps(steps, readSurroundings(process.env), (line) =>
        say(redact(line)),
      );
      if (failed) {
        note(`The step "${failed.name}" failed (exit status ${status}), and no later step was run.`);
        if (failed.advice) note(failed.advice);
        throw new Error(
          'Fix the problem that it reports above, and deploy again: every step can be repeated.',
        );
      }
      const rest = looks === 0 ? '' : ` Lines above that start with LOOK or warning: ${looks}.`;
      say(`${values.PUBLIC_SITE_URL} is live.${rest}`);
    });
}
