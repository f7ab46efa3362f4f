import { Command } from 'commander';
import { describeFault } from '../functions/variables.ts';
import { countChecks, formatCheck } from './check.ts';
import { checkValues } from './check-values.ts';
import { findFaults } from './faults.ts';
import { runStep } from './run-step.ts';
import { planDeployment } from './steps.ts';
import { makeRedaction, readSurroundings, readValues } from './values.ts';
import { describeUncommitted } from './working-tree.ts';

const program = new Command('deploy')
  .description('Deploys the database, the functions and the site, and probes what is live.')
  .option('--dry-run', 'check the values, list the steps and change nothing')
  .addHelpText(
    'after',
    '\nThe values come from the environment, else from the file .env, which npm run setup writes.' +
      '\nAfter a failure, fix it and run this again: every step can be repeated.',
  )
  .parse();
const { dryRun } = program.opts<{ dryRun?: boolean }>();

const values = readValues(process.env);
const faults = findFaults(values).map(describeFault);
if (faults.length > 0) stop(faults);

const checks = await checkValues(values);
const bad = checks.filter(({ state }) => state === 'bad');
if (bad.length > 0) stop(bad.map(({ subject, text }) => `${subject}: ${text}.`));
for (const check of checks) if (check.state !== 'good') console.log(formatCheck(check));

const uncommitted = describeUncommitted();
if (uncommitted) console.log(uncommitted);

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

function stop(reasons: string[]): never {
  console.error(
    `Nothing was changed. Fix these before deploying:\n${reasons.map((line) => `  ${line}`).join('\n')}`,
  );
  process.exit(1);
}
