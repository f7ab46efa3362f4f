import { Command } from 'commander';
import { checkValues } from './check-values.ts';
import { runStep } from './run-step.ts';
import { planDeployment } from './steps.ts';
import { makeRedaction, readSurroundings, readValues } from './values.ts';

const { dryRun } = new Command('deploy')
  .description(
    'Deploys the database, the functions and the site with the values in the environment or in .env, and probes what is live. If a step fails, fix the cause and run this again.',
  )
  .option('-n, --dry-run', 'check the values, list the steps and change nothing')
  .parse()
  .opts<{ dryRun?: boolean }>();

const values = readValues(process.env);
const { obstacles, remark } = await checkValues(values);
if (obstacles > 0) {
  console.error('Nothing was changed.');
  process.exit(1);
}

const steps = planDeployment(values);
const redact = makeRedaction(values);
const surroundings = readSurroundings(process.env);
for (const [index, step] of steps.entries()) {
  console.log(`${index + 1}/${steps.length} ${step.name}: ${step.purpose}`);
  if (dryRun) continue;
  const status = await runStep(step, surroundings, (line) => console.log(redact(`    ${line}`)));
  if (status === 0) continue;
  console.error(`The step "${step.name}" failed (exit status ${status}), and no later step was run.`);
  if (step.advice) console.error(step.advice);
  console.error('Fix the problem that it reports above, and deploy again: every step can be repeated.');
  process.exit(1);
}
console.log(
  dryRun ? `Nothing was changed: this was a dry run.${remark}` : `${values.PUBLIC_SITE_URL} is live.`,
);
