import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { openContenders } from './contenders.ts';
import { describeGrowth } from './growth.ts';
import { Phone } from './phone.ts';
import { describeRounds, writeReport } from './report.ts';
import { measureRound, type Round } from './rounds.ts';
import { makeCertificate } from './server.ts';

const program = new Command('bench')
  .description(
    'Measures this site beside a hand-written page and a single-page application of the same words, and writes the figures into docs/performance.md. Nothing leaves the machine.',
  )
  .option('--rounds <number>', 'how often everything is measured', readCount)
  .option('--growth', 'measure instead what 10, 100 and 1,000 questions and perks cost')
  .showHelpAfterError()
  .action(async ({ rounds, growth }: { rounds?: number; growth?: true }) => {
    if (growth) await measureGrowth(rounds ?? 3);
    else await compare(rounds ?? 5);
  });

try {
  await program.parseAsync();
} catch (error) {
  console.error((error as Error).message);
  // What was opened before the failure would keep the program alive.
  process.exit(1);
}

async function compare(count: number): Promise<void> {
  const certificate = await makeCertificate();
  const phone = new Phone(certificate);
  console.log('building this site and the two pages beside it');
  const contenders = await openContenders(phone, certificate);
  try {
    const rounds: Round[] = [];
    while (rounds.length < count)
      rounds.push(await measureRound(rounds.length, phone, contenders, console.log));
    const browser = await phone.visit(async ({ page }) => page.context().browser()!.version());
    await publish('comparison', describeRounds(rounds, `${describeMachine()}, Chromium ${browser}`));
  } finally {
    await contenders.close();
  }
}

async function measureGrowth(count: number): Promise<void> {
  await publish('growth', describeGrowth(count, describeMachine(), console.log));
}

async function publish(name: string, text: string): Promise<void> {
  console.log(`\n${text}\n`);
  await writeReport(name, text);
  console.log('written into docs/performance.md');
}

function describeMachine(): string {
  const month = new Date().toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
  return `${month}, ${availableParallelism()} processor cores, Node ${process.versions.node}`;
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It takes a whole number from 1.');
}
