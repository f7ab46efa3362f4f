import { Command } from 'commander';
import { findObstacles } from './obstacles.ts';
import { runStep } from './run-step.ts';
import { planDeployment } from './steps.ts';
import { makeRedaction, readSurroundings, readValues } from './values.ts';
import { describeUncommitted } from './working-tree.ts';

const program = new Command('deploy')
  .description('Deploys the database, the functions and the site, and looks at what is live.')
  .option('--dry-run', 'check the values, print the steps and change nothing')
  .addHelpText(
    'after',
    '\nThe values come from the environment, else from the file .env, which npm run setup writes.' +
      '\nAfter a failure mend it and run this again: every step can be repeated.',
  )
  .parse();
const { dryRun } = program.opts<{ dryRun?: boolean }>();

const values = readValues(process.env);
const obstacles = findObstacles(values);
if (obstacles.length > 0) {
  console.error(`Nothing was changed. In the way stand:\n${obstacles.map((line) => `  ${line}`).join('\n')}`);
  process.exit(1);
}

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
  if (rest.length > 0) console.error(`Not done after it: ${rest.join(', ')}.`);
  console.error('Mend what it says above and deploy again: every step can be repeated.');
  process.exit(1);
}
console.log(dryRun ? 'Nothing was changed: this was a dry run.' : `${values.PUBLIC_SITE_URL} is live.`);
