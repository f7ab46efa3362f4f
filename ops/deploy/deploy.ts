import { Command } from 'commander';
import { checkValues } from './check-values.ts';
import { describeStep, runSteps } from './run-steps.ts';
import { planDeployment } from './steps.ts';
import { makeRedaction, readSurroundings, readValues } from './values.ts';

const { dryRun } = new Command('deploy')
  .description(
    'Deploys the database, the functions and the site with the values in the environment or in .env, and probes what is live. If a step fails, fix the cause and run this again.',
  )
  .option('--dry-run', 'check the values, list the steps and change nothing')
  .parse()
  .opts<{ dryRun?: boolean }>();

const values = readValues(process.env);
const { obstacles, remark } = await checkValues(values);
if (obstacles > 0) {
  console.error('Nothing was changed.');
  process.exit(1);
}

const steps = planDeployment(values);
if (dryRun) {
  console.log(steps.map(describeStep).join('\n'));
  console.log(`Nothing was changed: this was a dry run.${remark}`);
  process.exit();
}
const redact = makeRedaction(values);
const print = (line: string) => console.log(redact(line));
const { failed, status, looks } = await runSteps(steps, readSurroundings(process.env), print);
if (failed) {
  console.error(`The step "${failed.name}" failed (exit status ${status}), and no later step was run.`);
  if (failed.advice) console.error(failed.advice);
  console.error('Fix the problem that it reports above, and deploy again: every step can be repeated.');
  process.exit(1);
}
const rest = looks === 0 ? '' : ` Lines above that start with LOOK or warning: ${looks}.`;
console.log(`${values.PUBLIC_SITE_URL} is live.${rest}`);
