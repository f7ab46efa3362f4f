import { Command } from 'commander';
import { countChecks, formatCheck, formatObstacles, review } from './check.ts';
import { runStep } from './run-step.ts';
import { planDeployment } from './steps.ts';
import { makeRedaction, readSurroundings, readValues } from './values.ts';

const { dryRun } = new Command('deploy')
  .description('Deploys the database, the functions and the site, and probes what is live.')
  .option('-n, --dry-run', 'check the values, list the steps and change nothing')
  .addHelpText(
    'after',
    '\nThe values come from the environment, else from the file .env, which npm run setup writes.' +
      '\nAfter a failure, fix it and run this again: every step can be repeated.',
  )
  .parse()
  .opts<{ dryRun?: boolean }>();

const values = readValues(process.env);
const { obstacles, checks } = await review(values);
if (obstacles.length > 0) {
  console.error(`Nothing was changed. ${formatObstacles(obstacles)}`);
  process.exit(1);
}
for (const check of checks) if (check.state !== 'ok') console.log(formatCheck(check));

const steps = planDeployment(values);
const redact = makeRedaction(values);
const surroundings = readSurroundings(process.env);
for (const [index, step] of steps.entries()) {
  console.log(`${index + 1}/${steps.length} ${step.name}: ${step.purpose}`);
  if (dryRun) continue;
  const status = await runStep(step, surroundings, (line) => console.log(redact(`    ${line}`)));
  if (status === 0) continue;
  const rest = steps.slice(index + 1).map(({ name }) => name);
  console.error(`The step "${step.name}" failed (exit status ${status}).`);
  if (step.advice) console.error(step.advice);
  if (rest.length > 0) console.error(`Not done: ${rest.join(', ')}.`);
  console.error('Fix what it says above and deploy again: every step can be repeated.');
  process.exit(1);
}
console.log(
  dryRun
    ? `Nothing was changed: this was a dry run.${countChecks(checks)}`
    : `${values.PUBLIC_SITE_URL} is live.`,
);
